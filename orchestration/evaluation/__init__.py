"""Measuring: labelled queries, BEIR sets, conflict pairs."""
