"""One protocol per file; each docstring is the contract an adapter must keep."""
