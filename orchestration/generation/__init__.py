"""Driving the generation of one document."""
