"""The pluggy trio (markers, specs, manager) and the built-in adapters that come through the same door."""
