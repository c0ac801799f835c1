"""The stages pipelines are made of: query, channels, fusion, candidates, rerank, cut.

Each is small, gets an immutable state and returns a new one with what it decided; the engine times it and writes the
trace, so that nothing happens untraced.
"""
