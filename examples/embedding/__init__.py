"""Examples of wikiapi in other applications and on other servers."""
