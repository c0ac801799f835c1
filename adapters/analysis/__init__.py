"""Analyzers: text to search terms."""
