"""Content models: one module per content model."""
