-- mw.svg: SVG images that are created by modules and displayed with <img>.
local lib = ...
local mw, util, call = lib.mw, lib.util, lib.call
local type, error, tostring, setmetatable = type, error, lib.globals.tostring, setmetatable
local svg = {}
mw.svg = svg

local methods, meta = {}, {}
meta.__index = methods

local function check(method, index, value)
	util.checkType(method, index, value, 'string')
	if index == 1 and not value:find('^[%a_:][%w_:.-]*$') then
		error("bad argument #1 to '" .. method .. "' (invalid attribute name)", 3)
	end
end

local function set(list, name, value)
	for _, attribute in ipairs(list) do
		if attribute.name == name then
			attribute.value = value
			return
		end
	end
	list[#list + 1] = { name = name, value = value }
end

function methods:setAttribute(name, value)
	check('setAttribute', 1, name)
	set(self.attributes, name, util.checkText('setAttribute', 2, value))
	return self
end

function methods:setImgAttribute(name, value)
	check('setImgAttribute', 1, name)
	set(self.image, name, util.checkText('setImgAttribute', 2, value))
	return self
end

function methods:setContent(content)
	self.content = util.checkText('setContent', 1, content)
	return self
end

local function written(attributes)
	local out = {}
	for _, attribute in ipairs(attributes) do
		out[#out + 1] = ' ' .. attribute.name .. '="' .. mw.text.encode(attribute.value) .. '"'
	end
	return table.concat(out)
end

function methods:toString()
	return '<svg xmlns="http://www.w3.org/2000/svg"' .. written(self.attributes) .. '>'
		.. (self.content or '') .. '</svg>'
end

meta.__tostring = methods.toString

function methods:toImage()
	local list = {}
	for _, attribute in ipairs(self.image) do
		list[#list + 1] = attribute.name
		list[#list + 1] = attribute.value
	end
	return call('svgImage', methods.toString(self), unpack(list))
end

function svg.new()
	return setmetatable({ attributes = {}, image = {} }, meta)
end
