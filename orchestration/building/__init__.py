"""Steps of a build: documents, parsing, vectors, indexes."""
