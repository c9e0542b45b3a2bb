"""A wiki that is being edited: what happened there since, by its API."""
