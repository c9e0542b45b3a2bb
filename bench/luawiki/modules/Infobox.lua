-- An infobox: labels and data, in the order of their numbers.
local p = {}
local arguments = require('Module:Arguments')
local yesno = require('Module:Yesno')
local config = mw.loadData('Module:Infobox/configuration')

local function numbers(args, prefix)
	local found = {}
	for key in pairs(args) do
		local number = tostring(key):match('^' .. prefix .. '(%d+)$')
		if number then
			found[#found + 1] = tonumber(number)
		end
	end
	table.sort(found)
	return found
end

local function header(root, args)
	if args.title then
		root:tag('caption'):addClass(config.classes.title):wikitext(args.title)
	end
	if args.above then
		root:tag('tr'):tag('th'):attr('colspan', 2):addClass(config.classes.above)
			:cssText(args.abovestyle):wikitext(args.above)
	end
	if args.image then
		local cell = root:tag('tr'):tag('td'):attr('colspan', 2):addClass(config.classes.image)
		cell:wikitext(('[[File:%s|%dpx|alt=%s]]'):format(
			args.image, config.image_width, args.alt or args.image))
		if args.caption then
			cell:tag('div'):addClass(config.classes.caption):wikitext(args.caption)
		end
	end
end

local function rows(root, args)
	for _, number in ipairs(numbers(args, 'data')) do
		local data, label = args['data' .. number], args['label' .. number]
		local row = root:tag('tr')
		if args['header' .. number] then
			row:tag('th'):attr('colspan', 2):wikitext(args['header' .. number])
			row = root:tag('tr')
		end
		if label then
			row:tag('th'):attr('scope', 'row'):css('text-align', 'left'):wikitext(label)
			row:tag('td'):addClass(config.classes.data):newline():wikitext(data)
		else
			row:tag('td'):attr('colspan', 2):addClass(config.classes.data):wikitext(data)
		end
	end
end

local function categories(args)
	if not yesno(args.categories, true) then
		return ''
	end
	local title, out = mw.title.getCurrentTitle(), {}
	if title.namespace ~= 0 then
		return ''
	end
	for _, name in ipairs { 'title', 'above', 'image' } do
		if not args[name] and config.tracked[name] then
			out[#out + 1] = ('[[Category:%s]]'):format(config.tracked[name])
		end
	end
	return table.concat(out)
end

function p.infobox(frame)
	local args = arguments.get(frame)
	local root = mw.html.create('table'):addClass('infobox'):addClass(args.bodyclass)
		:css { width = config.width, ['font-size'] = config.font_size }
	header(root, args)
	rows(root, args)
	if args.below then
		root:tag('tr'):tag('td'):attr('colspan', 2):wikitext(args.below)
	end
	return tostring(root) .. categories(args)
end

return p
