"""The wiki's own files over HTTP: originals, thumbnails, and icons for what cannot be shown."""
