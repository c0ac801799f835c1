"""Settings, their defaults and profiles."""
