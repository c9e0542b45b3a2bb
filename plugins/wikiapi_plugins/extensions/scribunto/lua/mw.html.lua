-- mw.html: a builder for HTML.
local lib = ...
local mw, util = lib.mw, lib.util
local type, error, tostring, setmetatable = type, error, lib.globals.tostring, setmetatable
local html = {}
mw.html = html

local VOID = {
	area = true, base = true, br = true, col = true, command = true, embed = true, hr = true,
	img = true, input = true, keygen = true, link = true, meta = true, param = true,
	source = true, track = true, wbr = true,
}
local ESCAPES = { ['&'] = '&amp;', ['"'] = '&quot;', ['<'] = '&lt;', ['>'] = '&gt;' }
local MARKER = "(\127'\"`UNIQ%-%-[^\127<>&'\"]+%-QINU`\"'\127)"

local methods, meta = {}, {}
meta.__index = methods

-- Strip markers are not escaped.
local function escaped(text)
	if not text:find('\127', 1, true) then
		return (text:gsub('[&"<>]', ESCAPES))
	end
	local out, position = {}, 1
	while true do
		local first, last, marker = text:find(MARKER, position)
		out[#out + 1] = text:sub(position, (first or 0) - 1):gsub('[&"<>]', ESCAPES)
		if not first then
			return table.concat(out)
		end
		out[#out + 1] = marker
		position = last + 1
	end
end

local function new(name, options)
	return setmetatable({
		tagName = name, selfClosing = options and options.selfClosing or VOID[name] or false,
		attributes = {}, styles = {}, nodes = {}, parent = options and options.parent or nil,
	}, meta)
end

local function find_attribute(self, name)
	for _, attribute in ipairs(self.attributes) do
		if attribute.name == name then
			return attribute
		end
	end
end

local function is_value(value)
	local kind = type(value)
	return kind == 'string' or kind == 'number'
end

local function check_value(method, index, value)
	if value ~= nil and not is_value(value) then
		local problem = "bad argument #%d to '%s' (string, number, or nil expected, got %s)"
		error(problem:format(index, method, type(value)), 3)
	end
end

local function remove(list, item)
	for index, each in ipairs(list) do
		if each == item then
			return table.remove(list, index)
		end
	end
end

local build

local CSS_SPECIAL = '[%z\1-\31:;\128-\255]'

-- Names and values are escaped so that neither can end the declaration.
local function escaped_css(text)
	if not text:find(CSS_SPECIAL) then
		return text
	end
	return (mw.ustring.gsub(text, '.', function(character)
		return character:find(CSS_SPECIAL) and ('\\%X '):format(mw.ustring.codepoint(character)) or nil
	end))
end

local function written_styles(self)
	local out = {}
	for _, style in ipairs(self.styles) do
		out[#out + 1] = style.text or escaped_css(style.name) .. ':' .. escaped_css(style.value)
	end
	return table.concat(out, ';')
end

local function open_tag(self, out)
	out[#out + 1] = '<' .. self.tagName
	for _, attribute in ipairs(self.attributes) do
		out[#out + 1] = ' ' .. attribute.name .. '="' .. escaped(tostring(attribute.value)) .. '"'
	end
	if #self.styles > 0 then
		out[#out + 1] = ' style="' .. escaped(written_styles(self)) .. '"'
	end
	out[#out + 1] = self.selfClosing and ' />' or '>'
end

build = function(self, out)
	if self.tagName then
		open_tag(self, out)
	end
	for _, node in ipairs(self.nodes) do
		if type(node) == 'table' and node.nodes and node.attributes then
			build(node, out)
		else
			out[#out + 1] = tostring(node)
		end
	end
	if self.tagName and not self.selfClosing then
		out[#out + 1] = '</' .. self.tagName .. '>'
	end
	return out
end

function meta.__tostring(self)
	return table.concat(build(self, {}))
end

function meta.__concat(a, b)
	return tostring(a) .. tostring(b)
end

function methods:node(node)
	if node ~= nil then
		self.nodes[#self.nodes + 1] = node
	end
	return self
end

function methods:wikitext(...)
	for index = 1, select('#', ...) do
		local text = select(index, ...)
		if text == nil then
			break
		elseif type(text) ~= 'string' and type(text) ~= 'number' then
			local problem = "bad argument #%d to 'wikitext' (string or number expected, got %s)"
			error(problem:format(index, type(text)), 2)
		end
		self.nodes[#self.nodes + 1] = text
	end
	return self
end

function methods:newline()
	self.nodes[#self.nodes + 1] = '\n'
	return self
end

function methods:tag(name, options)
	util.checkType('tag', 1, name, 'string')
	util.checkType('tag', 2, options, 'table', true)
	local child = html.create(name, { parent = self, selfClosing = options and options.selfClosing })
	self.nodes[#self.nodes + 1] = child
	return child
end

function methods:attr(name, value)
	if type(name) == 'table' then
		if value ~= nil then
			error("bad argument #2 to 'attr' (no value goes with a table of attributes)", 2)
		end
		local names = {}
		for each in lib.globals.pairs(name) do
			names[#names + 1] = each
		end
		for _, each in ipairs(names) do
			self:attr(each, name[each])
		end
		return self
	end
	util.checkType('attr', 1, name, 'string')
	check_value('attr', 2, value)
	if not name:find('^[^\t\r\n\f /><"\'=]+$') then
		error("bad argument #1 to 'attr' (invalid attribute name '" .. name .. "')", 2)
	elseif name == 'style' then
		self.styles = value ~= nil and { { text = tostring(value) } } or {}
		return self
	end
	local known = find_attribute(self, name)
	if value == nil then
		remove(self.attributes, known)
	elseif known then
		known.value = value
	else
		self.attributes[#self.attributes + 1] = { name = name, value = value }
	end
	return self
end

function methods:getAttr(name)
	util.checkType('getAttr', 1, name, 'string')
	local known = find_attribute(self, name)
	return known and known.value
end

function methods:addClass(class)
	check_value('addClass', 1, class)
	if class == nil then
		return self
	end
	local known = find_attribute(self, 'class')
	if known then
		known.value = known.value .. ' ' .. class
	else
		self.attributes[#self.attributes + 1] = { name = 'class', value = tostring(class) }
	end
	return self
end

function methods:css(name, value)
	if type(name) == 'table' then
		if value ~= nil then
			error("bad argument #2 to 'css' (no value goes with a table of properties)", 2)
		end
		for key, each in lib.globals.pairs(name) do
			self:css(key, each)
		end
		return self
	end
	if not is_value(name) then
		error("bad argument #1 to 'css' (string or number expected, got " .. type(name) .. ')', 2)
	end
	check_value('css', 2, value)
	name = tostring(name)
	local known
	for _, style in ipairs(self.styles) do
		if style.name == name then
			known = style
		end
	end
	if value == nil then
		remove(self.styles, known)
	elseif known then
		known.value = tostring(value)
	else
		self.styles[#self.styles + 1] = { name = name, value = tostring(value) }
	end
	return self
end

function methods:cssText(text)
	check_value('cssText', 1, text)
	if text ~= nil then
		self.styles[#self.styles + 1] = { text = tostring(text) }
	end
	return self
end

function methods:done()
	return self.parent or self
end

function methods:allDone()
	local top = self
	while top.parent do
		top = top.parent
	end
	return top
end

function html.create(name, options)
	util.checkType('mw.html.create', 1, name, 'string', true)
	util.checkType('mw.html.create', 2, options, 'table', true)
	if name == '' then
		name = nil
	end
	if name and not name:find('^[%w]+$') then
		error("bad argument #1 to 'mw.html.create' (invalid tag name '" .. name .. "')", 2)
	end
	return new(name, options)
end
