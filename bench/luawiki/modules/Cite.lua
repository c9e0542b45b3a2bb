-- A citation: authors, title, publisher, dates and identifiers, each of which is checked.
local p = {}
local arguments = require('Module:Arguments')
local config = mw.loadData('Module:Cite/configuration')

local function authors(args)
	local names = {}
	for index = 1, 9 do
		local last = args['last' .. index] or (index == 1 and args.last)
		local first = args['first' .. index] or (index == 1 and args.first)
		if not last then
			break
		end
		local name = first and last .. ', ' .. mw.ustring.sub(first, 1, 1) .. '.' or last
		if args['link' .. index] then
			name = ('[[%s|%s]]'):format(args['link' .. index], name)
		end
		names[#names + 1] = name
	end
	if #names > config.most_authors then
		for index = #names, config.most_authors + 1, -1 do
			names[index] = nil
		end
		names[#names + 1] = "''et al.''"
	end
	return table.concat(names, '; ')
end

local function is_date(text)
	local year, month, day = text:match('^(%d%d%d%d)%-(%d%d)%-(%d%d)$')
	if year then
		return tonumber(month) <= 12 and tonumber(day) <= 31
	end
	local name = mw.ustring.match(text, '^%d%d? (%a+) %d%d%d%d$') or mw.ustring.match(text, '^(%a+) %d%d%d%d$')
	return name and config.months[name] ~= nil or text:match('^%d%d%d%d$') ~= nil
end

local function isbn(text)
	local digits, sum = text:gsub('[^%dX]', ''), 0
	if #digits == 13 then
		for index = 1, 13 do
			sum = sum + tonumber(digits:sub(index, index)) * (index % 2 == 1 and 1 or 3)
		end
		return sum % 10 == 0
	elseif #digits == 10 then
		for index = 1, 10 do
			local digit = digits:sub(index, index)
			sum = sum + (digit == 'X' and 10 or tonumber(digit)) * (11 - index)
		end
		return sum % 11 == 0
	end
	return false
end

local function identifiers(args, problems)
	local out = {}
	for _, known in ipairs(config.identifiers) do
		local value = args[known.name]
		if value then
			if known.name == 'isbn' and not isbn(value) then
				problems[#problems + 1] = 'isbn'
			end
			out[#out + 1] = ('[[%s|%s]]:&nbsp;[%s%s %s]')
				:format(known.page, known.label, known.url, mw.uri.encode(value, 'PATH'), mw.text.nowiki(value))
		end
	end
	return out
end

function p.cite(frame)
	local args, problems = arguments.get(frame), {}
	for key in pairs(args) do
		if type(key) == 'string' and not config.known[key] and not config.known[(key:gsub('%d+$', '#'))] then
			problems[#problems + 1] = 'unknown'
		end
	end
	local parts = {}
	local by = authors(args)
	if by ~= '' then
		parts[#parts + 1] = by .. (args.date and ' (' .. args.date .. ')' or '')
	end
	local title = (args.title or 'Untitled'):gsub("^['\"]+", ''):gsub("['\"]+$", '')
	if args.url then
		title = ('[%s %s]'):format(args.url:gsub(' ', '%%20'), title)
	end
	parts[#parts + 1] = args.journal and '"' .. title .. '"' or "''" .. title .. "''"
	if args.journal then
		parts[#parts + 1] = ("''%s'' '''%s'''"):format(args.journal, args.volume or '')
	end
	if args.publisher then
		parts[#parts + 1] = args.publisher
	end
	for _, name in ipairs { 'date', 'access-date' } do
		if args[name] and not is_date(args[name]) then
			problems[#problems + 1] = 'date'
		end
	end
	for _, text in ipairs(identifiers(args, problems)) do
		parts[#parts + 1] = text
	end
	if args['access-date'] then
		parts[#parts + 1] = 'Retrieved ' .. args['access-date']
	end
	if args.format == 'PDF' then
		parts[#parts + 1] = frame:expandTemplate { title = 'Format icon', args = { 'PDF' } }
	end
	local out = mw.html.create('cite'):addClass('citation')
		:addClass(args.journal and 'journal' or 'web'):wikitext(table.concat(parts, '. '), '.')
	local categories = {}
	for _, problem in ipairs(problems) do
		categories[#categories + 1] = ('[[Category:%s]]'):format(config.categories[problem])
	end
	return tostring(out) .. table.concat(categories)
end

return p
