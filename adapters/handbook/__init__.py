"""Handbooks on disk."""
