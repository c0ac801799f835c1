"""The kisoku command."""
