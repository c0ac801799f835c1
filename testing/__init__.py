"""Contract tests for adapters, shipped so that third parties can prove theirs."""
