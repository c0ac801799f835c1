"""Whether a handbook answers a question at all: what can be measured, and the model that weighs it. Pure functions."""
