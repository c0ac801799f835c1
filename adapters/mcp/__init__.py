"""The Model Context Protocol: rules as tools and resources for agents of any maker."""
