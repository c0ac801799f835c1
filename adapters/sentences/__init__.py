"""Sentence vectors of a version as memory-mapped files."""
