"""Words of the interface that clients ask for, beside the texts of the API and the parser."""
