-- mw.uri: URIs.
local lib = ...
local mw, util, call = lib.mw, lib.util, lib.call
local type, error, tostring = type, error, lib.globals.tostring
local setmetatable, rawget, rawset, next = setmetatable, rawget, rawset, next
local uri = {}
mw.uri = uri

local SAFE = {
	QUERY = '[^%w%-_%.]',
	PATH = '[^%w%-_%.~]',
	WIKI = '[^%w%-_%.!~%*%(%):;@,/%$]',
}
local SPACE = { QUERY = '+', PATH = '%20', WIKI = '_' }

local function kind_of(name, index, kind)
	kind = kind == nil and 'QUERY' or kind
	if type(kind) ~= 'string' or not SAFE[kind:upper()] then
		local problem = "bad argument #%d to '%s' (Unknown encoding type '%s')"
		error(problem:format(index, name, tostring(kind)), 3)
	end
	return kind:upper()
end

local function encoded(s, kind)
	s = s:gsub(SAFE[kind], function(character)
		if character == ' ' then
			return SPACE[kind]
		end
		return ('%%%02X'):format(character:byte())
	end)
	return s
end

function uri.encode(s, kind)
	s = util.checkText('encode', 1, s)
	return encoded(s, kind_of('encode', 2, kind))
end

function uri.decode(s, kind)
	s = util.checkText('decode', 1, s)
	kind = kind_of('decode', 2, kind)
	if kind == 'QUERY' then
		s = s:gsub('%+', ' ')
	elseif kind == 'WIKI' then
		s = s:gsub('_', ' ')
	end
	return (s:gsub('%%(%x%x)', function(digits)
		return string.char(tonumber(digits, 16))
	end))
end

function uri.anchorEncode(s)
	return call('anchorEncode', util.checkText('anchorEncode', 1, s))
end

local function one_pair(key, value)
	if value == false then
		return encoded(tostring(key), 'QUERY')
	end
	return encoded(tostring(key), 'QUERY') .. '=' .. encoded(value == true and '' or tostring(value), 'QUERY')
end

local orders = setmetatable({}, { __mode = 'k' }) -- query -> its keys in the order of the query string

-- The keys of a query: first those that were parsed, in their order, then the others.
local function ordered_keys(query)
	local keys, seen = {}, {}
	for _, key in ipairs(orders[query] or {}) do
		if query[key] ~= nil then
			keys[#keys + 1], seen[key] = key, true
		end
	end
	for key in lib.globals.pairs(query) do
		if not seen[key] then
			keys[#keys + 1] = key
		end
	end
	return keys
end

function uri.buildQueryString(query)
	util.checkType('buildQueryString', 1, query, 'table')
	local out = {}
	for _, key in ipairs(ordered_keys(query)) do
		local value = query[key]
		if type(value) == 'table' then
			for _, each in ipairs(value) do
				out[#out + 1] = one_pair(key, each)
			end
		else
			out[#out + 1] = one_pair(key, value)
		end
	end
	return table.concat(out, '&')
end

function uri.parseQueryString(s, i, j)
	s = util.checkText('parseQueryString', 1, s)
	s = s:gsub('%+', ' '):sub(i or 1, j or -1)
	local out, order = {}, {}
	orders[out] = order
	for pair in s:gmatch('[^&]+') do
		local key, value = pair:match('^([^=]*)=(.*)$')
		key = uri.decode(key or pair, 'PATH')
		value = value and uri.decode(value, 'PATH') or false
		if out[key] == nil then
			out[key] = value
			order[#order + 1] = key
		elseif type(out[key]) == 'table' then
			table.insert(out[key], value)
		else
			out[key] = { out[key], value }
		end
	end
	return out
end

local function query_text(query)
	if query == nil or type(query) == 'string' then
		return query
	elseif type(query) == 'table' then
		return uri.buildQueryString(query)
	end
	error('uri: query must be a string or a table', 3)
end

local function address(which)
	return function(page, query)
		page = util.checkText(which, 1, page)
		local text = call('address', which, page, query_text(query) or '')
		return text and uri.new(text) or nil
	end
end

uri.localUrl = address('localUrl')
uri.fullUrl = address('fullUrl')
uri.canonicalUrl = address('canonicalUrl')

-- URI objects store the simple parts; compound parts and the text are computed from them.

local PARTS = { 'protocol', 'user', 'password', 'host', 'port', 'path', 'query', 'fragment' }
local meta, methods = {}, {}

local computed = {}

function computed.userInfo(self)
	local user, password = rawget(self, 'user'), rawget(self, 'password')
	if not user then
		return nil
	end
	local text = encoded(user, 'PATH')
	return password and text .. ':' .. encoded(password, 'PATH') or text
end

function computed.hostPort(self)
	local host, port = rawget(self, 'host'), rawget(self, 'port')
	return host and (port and host .. ':' .. port or host)
end

function computed.authority(self)
	local info, host = computed.userInfo(self), computed.hostPort(self)
	return host and (info and info .. '@' .. host or host)
end

function computed.queryString(self)
	local query = rawget(self, 'query')
	return query and uri.buildQueryString(query)
end

function computed.relativePath(self)
	local out = rawget(self, 'path') or ''
	local query, fragment = computed.queryString(self), rawget(self, 'fragment')
	if query then
		out = out .. '?' .. query
	end
	return fragment and out .. '#' .. fragment or out
end

local assign = {}

function assign.userInfo(self, text)
	local user, password = (text or ''):match('^([^:]*):?(.*)$')
	rawset(self, 'user', text and uri.decode(user, 'PATH'))
	rawset(self, 'password', text and text:find(':', 1, true) and uri.decode(password, 'PATH') or nil)
end

function assign.hostPort(self, text)
	local host, port = (text or ''):match('^(.*):(%d+)$')
	rawset(self, 'host', host or text)
	rawset(self, 'port', port and tonumber(port))
end

function assign.authority(self, text)
	local info, rest = (text or ''):match('^(.*)@([^@]*)$')
	assign.userInfo(self, info)
	assign.hostPort(self, rest or text)
end

function assign.queryString(self, text)
	rawset(self, 'query', text and uri.parseQueryString(text))
end

function assign.relativePath(self, text)
	text = text or ''
	local rest, fragment = text:match('^([^#]*)#(.*)$')
	rest = rest or text
	local path, query = rest:match('^([^?]*)%?(.*)$')
	rawset(self, 'path', path or rest)
	assign.queryString(self, query)
	rawset(self, 'fragment', fragment)
end

function meta.__index(self, key)
	return methods[key] or (computed[key] and computed[key](self))
end

function meta.__newindex(self, key, value)
	if assign[key] then
		assign[key](self, value)
	else
		rawset(self, key, value)
	end
end

function meta.__tostring(self)
	local authority, protocol = computed.authority(self), rawget(self, 'protocol')
	local out = protocol and protocol .. ':' or ''
	if authority then
		out = out .. '//' .. authority
	end
	return out .. computed.relativePath(self)
end

function meta.__eq(a, b)
	return meta.__tostring(a) == meta.__tostring(b)
end

function meta.__lt(a, b)
	return meta.__tostring(a) < meta.__tostring(b)
end

function meta.__le(a, b)
	return meta.__tostring(a) <= meta.__tostring(b)
end

function meta.__concat(a, b)
	return tostring(a) .. tostring(b)
end

function meta.__pairs(self)
	local index, names = 0, { 'protocol', 'user', 'password', 'host', 'port', 'path', 'query',
		'fragment', 'userInfo', 'hostPort', 'authority', 'queryString', 'relativePath' }
	return function()
		repeat
			index = index + 1
		until names[index] == nil or self[names[index]] ~= nil
		return names[index], names[index] and self[names[index]]
	end, self, nil
end

function methods:parse(text)
	util.checkType('parse', 1, text, 'string')
	for _, part in ipairs(PARTS) do
		rawset(self, part, nil)
	end
	local protocol, rest = text:match('^(%a[%w+.-]*):(.*)$')
	if not protocol then
		rest = text
	end
	rawset(self, 'protocol', protocol)
	local authority, path = rest:match('^//([^/?#]*)(.*)$')
	if authority then
		assign.authority(self, authority)
	end
	assign.relativePath(self, authority and path or rest)
	return self
end

function methods:clone()
	return uri.new(self)
end

function methods:extend(parameters)
	util.checkType('extend', 1, parameters, 'table')
	local query = rawget(self, 'query') or {}
	for key, value in lib.globals.pairs(parameters) do
		query[key] = value
	end
	rawset(self, 'query', query)
	return self
end

function uri.new(source)
	local out = setmetatable({}, meta)
	if source == nil then
		return methods.parse(out, lib.server)
	elseif type(source) == 'table' then
		for _, part in ipairs(PARTS) do
			rawset(out, part, mw.clone(source[part]))
			if part == 'query' and source.query then
				orders[out.query] = orders[source.query]
			end
		end
		return out
	end
	return methods.parse(out, util.checkText('new', 1, source))
end

function uri.validate(value)
	if type(value) ~= 'table' then
		return false, 'argument is not a table'
	end
	local problems = {}
	local function expect(ok, text)
		if not ok then
			problems[#problems + 1] = text
		end
	end
	local function is_text(key)
		local part = rawget(value, key)
		expect(part == nil or type(part) == 'string', key .. ' must be a string or nil')
	end
	for _, key in ipairs { 'protocol', 'user', 'password', 'host', 'path', 'fragment' } do
		is_text(key)
	end
	local port, query = rawget(value, 'port'), rawget(value, 'query')
	expect(port == nil or (type(port) == 'number' and port >= 1 and port <= 65535 and port % 1 == 0),
		'port must be a number from 1 to 65535, or nil')
	expect(query == nil or type(query) == 'table', 'query must be a table or nil')
	local host, path = rawget(value, 'host'), rawget(value, 'path')
	expect(host ~= '', 'host must not be empty')
	if host and type(path) == 'string' and path ~= '' then
		expect(path:sub(1, 1) == '/', 'path must begin with a slash after a host')
	end
	return #problems == 0, #problems > 0 and table.concat(problems, ', ') or nil
end
