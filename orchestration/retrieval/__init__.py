"""The retrieval engine: a state, stages, and what opens a version for them."""
