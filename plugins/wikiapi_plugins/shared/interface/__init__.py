"""Interface messages that clients can request, and data about skins."""
