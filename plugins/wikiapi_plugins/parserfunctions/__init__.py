"""Parser functions: one module per function family."""
