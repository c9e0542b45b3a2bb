"""List modules: one module per list= value."""
