"""Output formats: one module per format= value."""
