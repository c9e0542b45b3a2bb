"""Meta modules: one module per meta= value."""
