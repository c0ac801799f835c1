"""Caches of query embeddings: in the process, in Redis."""
