"""Messages of the API and of the parser, keyed as MediaWiki names them."""
