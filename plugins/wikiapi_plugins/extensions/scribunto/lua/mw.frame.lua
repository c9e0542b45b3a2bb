-- Frame objects: the frame of the #invoke, its parent, and child frames created by modules.
local lib = ...
local mw, util, call = lib.mw, lib.util, lib.call
local type, error, next, tostring = type, error, next, tostring
local setmetatable, rawset = setmetatable, rawset

-- The key of an argument: a number if the name is an integer in canonical form.
local function argument_key(name)
	if name == '0' or (#name < 16 and name:find('^%-?[1-9]%d*$')) then
		return tonumber(name)
	end
	return name
end

local function key_text(name)
	local kind = type(name)
	if kind == 'number' then
		return ('%.14g'):format(name)
	end
	return kind == 'string' and name or nil
end

local BATCH_SIZE = 100 -- arguments that are requested in one host call

-- The arguments of a frame. `names` lists all keys in order, and `known` contains texts by key. For
-- those in `foreseen`, the text is known, but the server has to be told when it is read, to count it
-- against the limits. All others are expanded by the server when they are read.
local function arguments(id, names, known, foreseen)
	local pending = {}
	for _, key in ipairs(names) do
		if known[key] == nil and foreseen[key] == nil then
			pending[key] = true
		end
	end
	local function read_foreseen(key)
		local value = foreseen[key]
		known[key], foreseen[key] = value, nil
		lib.finish_call(lib.record_read(id, tostring(key)))
		return value
	end
	local function get(key)
		local value = known[key]
		if value == nil and pending[key] then
			value = call('argument', id, tostring(key))
			known[key], pending[key] = value, nil
		elseif value == nil and foreseen[key] then
			return read_foreseen(key)
		end
		return value
	end
	local function expand_all()
		local keys, texts = {}, {}
		for _, key in ipairs(names) do
			if foreseen[key] then
				read_foreseen(key)
			elseif pending[key] then
				keys[#keys + 1], texts[#texts + 1] = key, tostring(key)
			end
		end
		for first = 1, #keys, BATCH_SIZE do
			local last = math.min(first + BATCH_SIZE - 1, #keys)
			local values = { call('arguments', id, unpack(texts, first, last)) }
			for index = first, last do
				local key = keys[index]
				known[key], pending[key] = values[index - first + 1], nil
			end
		end
	end
	local meta = {}
	function meta.__index(_, name)
		local text = key_text(name)
		return text and get(argument_key(text))
	end
	function meta.__pairs(t)
		expand_all()
		local index = 0
		return function()
			index = index + 1
			local key = names[index]
			if key ~= nil then
				return key, known[key]
			end
		end, t, nil
	end
	function meta.__ipairs(t)
		return function(_, index)
			local value = get(index + 1)
			if value ~= nil then
				return index + 1, value
			end
		end, t, 0
	end
	return setmetatable({}, meta)
end

-- The names, known texts and foreseen texts from a flat list: name, text, name, text... In the list,
-- false is an argument that has not been expanded, and a table contains a foreseen text.
function lib.read_arguments(list)
	local names, known, foreseen = {}, {}, {}
	for index = 1, #list, 2 do
		local key, value = argument_key(list[index]), list[index + 1]
		names[#names + 1] = key
		if type(value) == 'table' then
			foreseen[key] = value[1]
		else
			known[key] = value or nil
		end
	end
	return names, known, foreseen
end

local function check_self(self, name)
	if type(self) ~= 'table' or not lib.frame_ids[self] then
		error(('frame:%s needs a frame: call it with a colon'):format(name), 3)
	end
	return lib.frame_ids[self]
end

local function text_arguments(name, args, out)
	for key, value in lib.globals.pairs(args) do
		local kind = type(key)
		if kind ~= 'string' and kind ~= 'number' then
			error(name .. ": arg keys must be strings or numbers, " .. kind .. ' given', 3)
		end
		kind = type(value)
		if kind == 'boolean' then
			value = value and '1' or ''
		elseif kind == 'table' or kind == 'number' then
			value = lib.globals.tostring(value)
		elseif kind ~= 'string' then
			error(name .. ": invalid type " .. kind .. " for arg '" .. tostring(key) .. "'", 3)
		end
		out[#out + 1] = key_text(key)
		out[#out + 1] = value
	end
	return out
end

local function parser_value(expand)
	local value
	return {
		expand = function()
			if value == nil then
				value = expand()
			end
			return value
		end,
	}
end

local new_frame
local methods = {}

function methods:getParent()
	check_self(self, 'getParent')
	return lib.frame_parents[self]
end

function methods:getTitle()
	check_self(self, 'getTitle')
	return lib.frame_titles[self]
end

function methods:getArgument(name)
	check_self(self, 'getArgument')
	if type(name) == 'table' then
		name = name.name
	end
	if self.args[name] == nil then
		return nil
	end
	return parser_value(function()
		return self.args[name]
	end)
end

function methods:argumentPairs()
	check_self(self, 'argumentPairs')
	return lib.globals.pairs(self.args)
end

function methods:newChild(options)
	local id = check_self(self, 'newChild')
	if type(options) ~= 'table' then
		error('frame:newChild: the first parameter must be a table', 2)
	end
	local title = options.title
	if title ~= nil and title ~= false then
		title = lib.globals.tostring(title)
	end
	if options.args ~= nil and type(options.args) ~= 'table' then
		error('frame:newChild: args must be a table', 2)
	end
	local list = text_arguments('frame:newChild', options.args or {}, {})
	local child, name = call('newChild', id, title or false, unpack(list))
	return new_frame(child, name, self, lib.read_arguments(list))
end

function methods:expandTemplate(options)
	local id = check_self(self, 'expandTemplate')
	if type(options) ~= 'table' then
		error('frame:expandTemplate: the first parameter must be a table', 2)
	elseif options.title == nil then
		error('frame:expandTemplate: a title is required', 2)
	elseif options.args ~= nil and type(options.args) ~= 'table' then
		error('frame:expandTemplate: args must be a table', 2)
	end
	local list = text_arguments('frame:expandTemplate', options.args or {}, {})
	return call('expandTemplate', id, lib.globals.tostring(options.title), unpack(list))
end

local function call_function(self, id, name, args, where)
	if name == nil then
		error(where .. ': a function name is required', 3)
	end
	name = lib.globals.tostring(name)
	local positional, named = {}, {}
	for index, value in lib.globals.ipairs(args) do
		positional[index] = value
	end
	local list = text_arguments(where, positional, {})
	for key, value in lib.globals.pairs(args) do
		if not (type(key) == 'number' and positional[key] ~= nil) then
			named[key] = value
		end
	end
	text_arguments(where, named, list)
	return call('callParserFunction', id, name, #positional, unpack(list))
end

function methods:callParserFunction(name, ...)
	local id = check_self(self, 'callParserFunction')
	local args = ...
	if type(name) == 'table' then
		name, args = name.name, name.args
	elseif type(args) ~= 'table' then
		args = { ... }
	end
	if type(args) ~= 'table' then
		args = { args }
	end
	return call_function(self, id, name, args, 'frame:callParserFunction')
end

function methods:extensionTag(name, content, ...)
	local id = check_self(self, 'extensionTag')
	local args = ...
	if type(name) == 'table' then
		name, content, args = name.name, name.content, name.args
	elseif select('#', ...) > 1 then
		args = { ... }
	end
	if name == nil then
		error('frame:extensionTag: a function name is required', 2)
	end
	local list = { lib.globals.tostring(name), content == nil and '' or lib.globals.tostring(content) }
	if type(args) == 'table' then
		for key, value in lib.globals.pairs(args) do
			if type(key) ~= 'number' then
				list[key] = value
			end
		end
	elseif args ~= nil then
		list[3] = args
	end
	return call_function(self, id, '#tag', list, 'frame:extensionTag')
end

function methods:preprocess(options)
	local id = check_self(self, 'preprocess')
	local text = options
	if type(options) == 'table' and options.text ~= nil then
		text = options.text
	end
	if text == nil then
		error('frame:preprocess: a text is required', 2)
	end
	return call('preprocess', id, lib.globals.tostring(text))
end

function methods:newParserValue(options)
	check_self(self, 'newParserValue')
	return parser_value(function()
		return self:preprocess(options)
	end)
end

function methods:newTemplateParserValue(options)
	check_self(self, 'newTemplateParserValue')
	if type(options) ~= 'table' then
		error('frame:newTemplateParserValue: the first parameter must be a table', 2)
	elseif options.title == nil then
		error('frame:newTemplateParserValue: a title is required', 2)
	end
	return parser_value(function()
		return self:expandTemplate(options)
	end)
end

lib.frame_ids = setmetatable({}, { __mode = 'k' })
lib.frame_parents = setmetatable({}, { __mode = 'k' })
lib.frame_titles = setmetatable({}, { __mode = 'k' })

new_frame = function(id, title, parent, names, known, foreseen)
	local frame = { args = arguments(id, names, known, foreseen) }
	for name, method in next, methods do
		frame[name] = method
	end
	lib.frame_ids[frame] = id
	lib.frame_parents[frame] = parent
	lib.frame_titles[frame] = title
	return frame
end
lib.new_frame = new_frame
