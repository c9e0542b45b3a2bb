"""Parameters: their declarations, from which validation, warnings and help are derived."""
