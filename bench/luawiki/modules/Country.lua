-- Countries by code or name, with flags and links.
local p = {}
local data = mw.loadData('Module:Country/data')

local function find(text)
	local key = mw.ustring.upper(mw.text.trim(text or ''))
	return data.countries[key] or data.countries[data.aliases[key] or '']
end

function p.flag(frame)
	local country = find(frame.args[1] or frame:getParent().args[1])
	if not country then
		return '<span class="error">unknown country</span>[[Category:Pages with unknown countries]]'
	end
	local size = tonumber(frame.args.size) or 23
	return ('<span class="flagicon">[[File:%s|%dx15px|border|link=]]&nbsp;</span>[[%s]]')
		:format(country.flag, size, country.name)
end

function p.continent(frame)
	local country = find(frame.args[1])
	return country and country.continent or ''
end

return p
