-- Quantities in other units.
local p = {}
local units = mw.loadData('Module:Convert/units')

local function round(value, digits)
	local factor = 10 ^ digits
	return math.floor(value * factor + 0.5) / factor
end

local function number(text)
	local plain = (text or ''):gsub(',', '')
	return tonumber(plain)
end

function p.convert(frame)
	local args = frame:getParent().args
	local value, from, to = number(args[1]), units[args[2] or ''], units[args[3] or '']
	if not value or not from or not to or from.kind ~= to.kind then
		return '<span class="error">no such unit</span>[[Category:Pages with wrong units]]'
	end
	local result = round(value * from.factor / to.factor, tonumber(args[4]) or 1)
	local language = mw.getContentLanguage()
	return ('%s&nbsp;%s (%s&nbsp;[[%s|%s]])'):format(language:formatNum(value),
		value == 1 and from.name or from.plural, language:formatNum(result), to.page, to.symbol)
end

return p
