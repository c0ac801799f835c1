"""Chunkers for Word, Excel, PowerPoint and Markdown."""
