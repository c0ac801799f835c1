"""Use cases; bootstrap.py is the only place where things are wired."""
