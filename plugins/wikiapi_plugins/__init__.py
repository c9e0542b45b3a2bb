"""The plugins that ship with wikiapi."""
