"""What browsers, search engines and robots request to find out about the wiki."""
