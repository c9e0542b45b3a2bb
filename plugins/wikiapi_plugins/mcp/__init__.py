"""``wikiapi mcp``: serves the wiki to language models over the Model Context Protocol."""
