"""Extension tags: one module per tag."""
