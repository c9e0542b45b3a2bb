-- mw.message: interface messages.
local lib = ...
local mw, util, cached_call = lib.mw, lib.util, lib.cached_call
local type, error, tostring, setmetatable = type, error, lib.globals.tostring, setmetatable
local message = {}
mw.message = message

local data = setmetatable({}, { __mode = 'k' })
local special = setmetatable({}, { __mode = 'k' }) -- parameter object -> its kind and value
local methods, meta = {}, {}
meta.__index = methods

local function new(fields)
	fields.params = {}
	local object = setmetatable({}, meta)
	data[object] = fields
	return object
end

local function parameter(method, index, value)
	if special[value] then
		return special[value]
	end
	local kind = type(value)
	if kind ~= 'string' and kind ~= 'number' and kind ~= 'boolean' then
		local problem = "bad argument #%d to '%s' (invalid parameter, got %s)"
		error(problem:format(index, method, kind), 4)
	end
	return { kind = 'text', value = tostring(value) }
end

local function adder(method, convert)
	return function(self, ...)
		local values = ...
		if select('#', ...) ~= 1 or type(values) ~= 'table' or special[values] then
			values = { ... }
		end
		local own = data[self].params
		for index, value in ipairs(values) do
			own[#own + 1] = convert(method, index, value)
		end
		return self
	end
end

local function raw(method, index, value)
	return special[value] or { kind = 'raw', value = parameter(method, index, value).value }
end

local function number(method, index, value)
	return special[value] or { kind = 'num', value = parameter(method, index, value).value }
end

methods.params = adder('params', parameter)
methods.rawParams = adder('rawParams', raw)
methods.numParams = adder('numParams', number)

function methods:inLanguage(language)
	if type(language) == 'table' and language.getCode then
		language = language:getCode()
	end
	data[self].language = util.checkText('inLanguage', 1, language)
	return self
end

function methods:useDatabase(use)
	util.checkType('useDatabase', 1, use, 'boolean')
	data[self].database = use
	return self
end

-- The text of a raw message with its parameters filled in, or nil if the server has to format numbers
-- or to choose plural forms.
local function filled(own)
	if not own.raw or own.raw:find('{{', 1, true) then
		return nil
	end
	for _, each in ipairs(own.params) do
		if each.kind == 'num' then
			return nil
		end
	end
	return (own.raw:gsub('%$([1-9])', function(digit)
		local known = own.params[tonumber(digit)]
		return known and known.value
	end))
end

local function call_host(self, method)
	local own = data[self]
	local list = {}
	for _, each in ipairs(own.params) do
		list[#list + 1] = each.kind
		list[#list + 1] = each.value
	end
	for _, key in ipairs(own.keys or {}) do
		list[#list + 1] = 'key'
		list[#list + 1] = key
	end
	local language, raw_text = own.language or false, own.raw or false
	return cached_call('message.' .. method, language, own.database ~= false, raw_text, unpack(list))
end

function methods:plain()
	return filled(data[self]) or call_host(self, 'plain')
end

function methods:exists()
	return call_host(self, 'exists')
end

function methods:isBlank()
	return call_host(self, 'isBlank')
end

function methods:isDisabled()
	return call_host(self, 'isDisabled')
end

meta.__tostring = methods.plain

function message.new(key, ...)
	key = util.checkText('message.new', 1, key)
	return new({ keys = { key } }):params(...)
end

function message.newFallbackSequence(...)
	local keys = {}
	for index = 1, select('#', ...) do
		keys[index] = util.checkText('message.newFallbackSequence', index, (select(index, ...)))
	end
	return new({ keys = keys })
end

function message.newRawMessage(text, ...)
	text = util.checkText('message.newRawMessage', 1, text)
	return new({ raw = text }):params(...)
end

local function parameter_of_kind(kind)
	return function(value)
		local object = setmetatable({}, { __tostring = function() return tostring(value) end })
		special[object] = { kind = kind, value = tostring(value) }
		return object
	end
end

message.rawParam = parameter_of_kind('raw')
message.numParam = parameter_of_kind('num')

function message.getDefaultLanguage()
	return mw.language.new(lib.interface_language)
end
