"""Understanding queries: by rules, by a chat model, not at all."""
