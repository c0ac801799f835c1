"""Markdown: reading into blocks."""
