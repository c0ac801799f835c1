"""Implementations of the ports, one folder per port; registered through plugins, never imported by use cases."""
