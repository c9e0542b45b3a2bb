"""``wikiapi mcp``: the wiki for language models, over the Model Context Protocol."""
