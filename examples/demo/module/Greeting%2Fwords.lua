-- Greetings by language code.
return {
	de = "Guten Tag",
	en = "Hello",
	fr = "Bonjour",
}
