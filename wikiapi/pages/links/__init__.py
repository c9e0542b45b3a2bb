"""Links of pages: derived from their texts in worker processes, checked, and kept up to date."""
