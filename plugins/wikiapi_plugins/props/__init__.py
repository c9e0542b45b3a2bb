"""Property modules: one module per prop= value."""
