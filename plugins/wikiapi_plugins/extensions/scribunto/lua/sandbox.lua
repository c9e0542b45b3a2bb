-- The sandbox for modules: safe versions of Lua's own libraries, and a new copy of all libraries for
-- every #invoke. This file runs first; modules have no access to the real globals.
local lib = ...
local host = lib.host
local native = lib.native

local type, next, select, error, tostring = type, next, select, error, tostring
local getmetatable, setmetatable, rawget, rawset = getmetatable, setmetatable, rawget, rawset

lib.libraries = {} -- name -> function(env) that returns the library for require()
lib.shared = setmetatable({}, { __mode = 'k' }) -- tables shared by all environments of a page

-- The largest size in bytes of the strings in a host call, and of the result of a module: the server
-- holds several copies of them at the same time.
lib.max_text_size = 4194304

local PLAIN = { string = true, number = true, boolean = true, ['nil'] = true }

local function call_host(op, ...)
	local size = 0
	for index = 1, select('#', ...) do
		local value = select(index, ...)
		local kind = type(value)
		if kind == 'string' then
			size = size + #value
		elseif not PLAIN[kind] then
			return false, op .. ': bad arguments'
		end
	end
	if size > lib.max_text_size then
		return false, 'text too long'
	end
	return host(op, ...)
end

function lib.call(op, ...)
	return lib.unwrap(2, call_host(op, ...))
end

-- The results of a host function: true and values, or false and an error message. They are preceded by
-- nil if the memory limit has been lifted; it is restored here.
function lib.finish_call(ok, ...)
	if ok == nil then
		lib.restore_limit()
		return ...
	end
	return ok, ...
end

local results, free_entries = {}, 1000

-- A host call with a cache, for functions whose results do not change while a page is rendered.
function lib.cached_call(op, ...)
	local parts = { op }
	for index = 1, select('#', ...) do
		local value = select(index, ...)
		local text = tostring(value)
		parts[index + 1] = type(value) .. #text .. text
	end
	local key = table.concat(parts)
	if results[key] ~= nil then
		return results[key]
	end
	local ok, result = lib.finish_call(call_host(op, ...))
	if ok and free_entries > 0 then
		results[key], free_entries = result, free_entries - 1
	end
	return lib.unwrap(2, ok, result)
end

local function fail(level, problem)
	error(problem, problem == lib.no_memory and 0 or level + 2)
end

-- The values that a host function returned; raises an error if it failed.
function lib.unwrap(level, ok, ...)
	if ok then
		return ...
	elseif ok == nil then
		lib.restore_limit()
		if (...) then
			return select(2, ...)
		end
		fail(level, (select(2, ...)))
	end
	fail(level, (...))
end

local function subset(source, names)
	local out = {}
	for name in names:gmatch('%S+') do
		out[name] = source[name]
	end
	return out
end

local globals = subset(
	native,
	'_VERSION assert error getmetatable setmetatable next pcall xpcall rawequal rawget rawset '
		.. 'select tonumber type'
)
globals.string = subset(
	native.string,
	'byte char find format gmatch gsub len lower match rep reverse sub upper'
)
globals.table = subset(native.table, 'concat insert maxn remove sort')
globals.math = subset(
	native.math,
	'abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max min '
		.. 'modf pi pow rad random randomseed sin sinh sqrt tan tanh'
)
globals.os = { clock = native.os.clock, difftime = native.os.difftime }
globals.debug = {}
globals.mw = {}

local unpack, tonumber, floor, ceil = unpack, tonumber, math.floor, math.ceil
local MAX_VALUES, SAFE_BOUND = 7990, 2 ^ 30
local PROBLEM = "bad argument #%d to 'unpack' (%s expected, got %s)"

-- Converts a number to a 32-bit integer as C does.
local function integer(number)
	number = number < 0 and ceil(number) or floor(number)
	if not (number >= -2 ^ 63 and number < 2 ^ 63) then
		return 0
	end
	number = number % 2 ^ 32
	return number < 2 ^ 31 and number or number - 2 ^ 32
end

-- In Lua's own function the number of values can overflow, as from -5 to 2147483647; it then writes
-- beyond the end of its stack.
function globals.unpack(list, first, last)
	if type(list) ~= 'table' then
		error(PROBLEM:format(1, 'table', type(list)), 2)
	elseif first == nil and last == nil then
		local size = #list
		if size < MAX_VALUES then
			return unpack(list, 1, size)
		end
	end
	local from, to = first == nil and 1 or tonumber(first), last == nil and #list or tonumber(last)
	if not from then
		error(PROBLEM:format(2, 'number', type(first)), 2)
	elseif not to then
		error(PROBLEM:format(3, 'number', type(last)), 2)
	elseif not (from > -SAFE_BOUND and to < SAFE_BOUND) then
		from, to = integer(from), integer(to)
	end
	if to - from >= MAX_VALUES then
		error('too many results to unpack', 2)
	end
	return unpack(list, from, to)
end
lib.globals = globals
lib.mw = globals.mw

-- tostring() does not reveal the addresses of tables and functions.
local hidden = { table = true, ['function'] = true, userdata = true, thread = true }

function globals.tostring(...)
	if select('#', ...) == 0 then
		error("bad argument #1 to 'tostring' (value expected)", 2)
	end
	local value = ...
	local kind = type(value)
	if not hidden[kind] then
		return tostring(value)
	end
	local meta = getmetatable(value)
	if type(meta) == 'table' and rawget(meta, '__tostring') then
		return tostring(value)
	end
	return kind
end

local function metamethod(value, name)
	local meta = getmetatable(value)
	return meta and type(meta) == 'table' and rawget(meta, name) or nil
end

local pairs, ipairs = pairs, ipairs

function globals.pairs(value)
	local own = metamethod(value, '__pairs')
	if own then
		local iterate, state, first = own(value)
		return iterate, state, first
	end
	return pairs(value)
end

function globals.ipairs(value)
	local own = metamethod(value, '__ipairs')
	if own then
		local iterate, state, first = own(value)
		return iterate, state, first
	end
	return ipairs(value)
end

local date, time = native.os.date, native.os.time

-- The current time is that of the rendering. Only os.clock advances.
function globals.os.time(parts)
	if parts == nil then
		return lib.now
	end
	return time(parts)
end

function globals.os.date(format, moment)
	return date(format, moment or lib.now)
end

local traceback = native.debug.traceback

function globals.debug.traceback(message, level)
	if message ~= nil and type(message) ~= 'string' and type(message) ~= 'number' then
		return message
	end
	return traceback(message or '', (tonumber(level) or 1) + 1)
end

-- The methods of strings are independent of the global table string, which modules may change.
local string_meta = getmetatable('')
string_meta.__index = subset(
	native.string,
	'byte char find format gmatch gsub len lower match rep reverse sub upper'
)
string_meta.__metatable = false
lib.string_methods = string_meta.__index

local function is_copied(value)
	return type(value) == 'table' and not lib.shared[value]
end

local function index_text(key)
	return type(key) == 'string' and ('[%q]'):format(key) or '[' .. tostring(key) .. ']'
end

-- The source of a function that copies the tables of all libraries. In it, `s` with a number is a
-- table and `t` with the same number its copy. It is compiled once for all states, and creates each
-- table with its final size.
function lib.copier_source()
	local lines, links = { 'local s1, setmetatable, getmetatable = ...' }, {}
	local numbers, count = {}, 0
	local function write(source)
		count = count + 1
		local own, fields = count, {}
		numbers[source] = own
		for key, value in next, source do
			local index = index_text(key)
			fields[#fields + 1] = index .. (is_copied(value) and '=false' or ('=s%d%s'):format(own, index))
		end
		local copy = '{' .. table.concat(fields, ',') .. '}'
		if getmetatable(source) then
			copy = ('setmetatable(%s,getmetatable(s%d))'):format(copy, own)
		end
		lines[#lines + 1] = ('local t%d=%s'):format(own, copy)
		for key, value in next, source do
			if is_copied(value) then
				if not numbers[value] then
					lines[#lines + 1] = ('local s%d=s%d%s'):format(count + 1, own, index_text(key))
					write(value)
				end
				links[#links + 1] = ('t%d%s=t%d'):format(own, index_text(key), numbers[value])
			end
		end
	end
	write(globals)
	return table.concat(lines, '\n') .. '\n' .. table.concat(links, '\n') .. '\nreturn t1'
end

-- A new environment for modules.
function lib.new_env()
	lib.copier = lib.copier or lib.unwrap(2, lib.environment_copier())
	local env = lib.copier(globals, setmetatable, getmetatable)
	env._G = env
	lib.add_package(env)
	return env
end

function lib.share(value)
	lib.shared[value] = true
	return value
end
