-- Groups of links below an article.
local p = {}
local arguments = require('Module:Arguments')

local function list(text)
	local items = mw.text.split(text, '%s*\n%*%s*')
	local root = mw.html.create('ul')
	for _, item in ipairs(items) do
		item = item:gsub('^%*%s*', '')
		if item ~= '' then
			root:tag('li'):wikitext(item)
		end
	end
	return root
end

function p.navbox(frame)
	local args = arguments.get(frame)
	local root = mw.html.create('div'):addClass('navbox'):attr('role', 'navigation')
	local inner = root:tag('table'):css('width', '100%')
	local top = inner:tag('tr'):tag('th'):attr('colspan', 2)
	top:tag('div'):addClass('navbar'):wikitext(('[[Template:%s|v]]'):format(args.name or ''))
	top:tag('span'):wikitext(args.title or '')
	for index = 1, 20 do
		if args['list' .. index] then
			local row = inner:tag('tr')
			row:tag('th'):attr('scope', 'row'):wikitext(args['group' .. index] or '')
			row:tag('td'):addClass(index % 2 == 0 and 'even' or 'odd'):node(list(args['list' .. index]))
		end
	end
	return tostring(root)
end

return p
