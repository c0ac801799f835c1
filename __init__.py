"""kisoku (規則): versioned rule handbooks for agents that write documents."""
