-- Dates of birth and death, the age, and the categories derived from them.
local p = {}

local function parsed(text)
	local year, month, day = (text or ''):match('^(%d+)%-(%d+)%-(%d+)$')
	return year and { year = tonumber(year), month = tonumber(month), day = tonumber(day) }
end

local function age(born, died)
	local years = died.year - born.year
	if died.month < born.month or (died.month == born.month and died.day < born.day) then
		years = years - 1
	end
	return years
end

function p.life(frame)
	local args = frame:getParent().args
	local born, died = parsed(args.born), parsed(args.died)
	if not born then
		return '[[Category:People without a date of birth]]'
	end
	local language = mw.getContentLanguage()
	local out = { language:formatDate('j F Y', args.born) }
	if died then
		out[#out + 1] = (' – %s (aged&nbsp;%d)'):format(language:formatDate('j F Y', args.died), age(born, died))
		out[#out + 1] = ('[[Category:%d deaths]]'):format(died.year)
	else
		out[#out + 1] = '[[Category:Living people]]'
	end
	out[#out + 1] = ('[[Category:%d births]]'):format(born.year)
	return table.concat(out)
end

function p.sortkey(frame)
	local name = frame.args[1] ~= '' and frame.args[1] or mw.title.getCurrentTitle().text
	local first, last = name:match('^(.-)%s+(%S+)$')
	return last and last .. ', ' .. first or name
end

return p
