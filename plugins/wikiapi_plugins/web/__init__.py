"""Pages for people: plugins that answer browsers beside the API."""
