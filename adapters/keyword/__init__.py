"""Keyword indexes."""
