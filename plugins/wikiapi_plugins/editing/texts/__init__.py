"""Computing the text that an edit saves, and its summary."""
