"""Watch lists: adding and removing pages, and notices about changes."""
