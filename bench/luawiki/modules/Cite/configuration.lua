local known, months = {}, {}
for name in ([[author# last first last# first# link# title url date access-date journal volume
	publisher format isbn doi issn pmid oclc language pages]]):gmatch('%S+') do
	known[name] = true
end
for number, name in ipairs { 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August',
	'September', 'October', 'November', 'December' } do
	months[name] = number
end
return {
	most_authors = 4,
	known = known,
	months = months,
	identifiers = {
		{ name = 'isbn', label = 'ISBN', page = 'International Standard Book Number', url = 'https://books.example/isbn/' },
		{ name = 'doi', label = 'doi', page = 'Digital object identifier', url = 'https://doi.example/' },
		{ name = 'issn', label = 'ISSN', page = 'International Standard Serial Number', url = 'https://issn.example/' },
		{ name = 'pmid', label = 'PMID', page = 'PubMed', url = 'https://pubmed.example/' },
		{ name = 'oclc', label = 'OCLC', page = 'WorldCat', url = 'https://oclc.example/' },
	},
	categories = {
		isbn = 'Sources with wrong numbers of books', date = 'Sources with wrong dates',
		unknown = 'Sources with unknown arguments',
	},
}
