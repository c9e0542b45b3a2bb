"""RSS and Atom feeds of changes in the wiki."""
