"""Numbered steps that create a store and bring an older one up to date."""
