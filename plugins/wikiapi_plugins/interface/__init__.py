"""Interface messages that clients request, beside the texts of the API and the parser."""
