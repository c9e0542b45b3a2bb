"""The settings of an existing wiki, taken over from its ``LocalSettings.php`` or from its API."""
