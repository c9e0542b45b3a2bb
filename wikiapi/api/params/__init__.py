"""Parameter types: one declaration drives validation, warnings and help."""
