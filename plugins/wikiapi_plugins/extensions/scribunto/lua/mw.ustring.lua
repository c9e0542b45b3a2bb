-- mw.ustring: the functions of Lua's string library for code points. Most strings are ASCII and are
-- passed to Lua's own functions; others are passed to the host.
local lib = ...
local mw, util, host = lib.mw, lib.util, lib.unicode
local type, error, tostring, tonumber = type, error, tostring, tonumber
local native = lib.native.string
local ustring = {}
mw.ustring = ustring

local find, gsub, gmatch, match, sub, rep = native.find, native.gsub, native.gmatch, native.match,
	native.sub, native.rep
local check_text, unwrap = util.checkText, lib.unwrap

ustring.maxPatternLength = 10000
ustring.maxStringLength = 2097152
ustring.byte = native.byte
ustring.rep = native.rep

local PATTERN_LENGTH, STRING_LENGTH = ustring.maxPatternLength, ustring.maxStringLength

-- Modules process the same short strings repeatedly, so these are cached: a lookup takes constant time,
-- because Lua interns strings.
local SHORT = 64
local ascii_cache, ascii_slots = {}, 4096
local last_text, last_result

local function is_ascii(s)
	local known = ascii_cache[s]
	if known ~= nil then
		return known
	elseif s == last_text then
		return last_result
	end
	known = match(s, '^[^\128-\255]*()') > #s
	if #s <= SHORT and ascii_slots > 0 then
		ascii_cache[s], ascii_slots = known, ascii_slots - 1
	else
		last_text, last_result = s, known
	end
	return known
end

-- The equivalent of a pattern for Lua's own functions and ASCII strings, in which all other characters
-- are the same; false if there is none. In Lua, %p includes symbols, and patterns end at a NUL.
local function translate(pattern)
	if find(pattern, '%z') or find(pattern, '%%[pPzZ]') then
		return false
	elseif is_ascii(pattern) then
		return pattern
	end
	return unwrap(2, host.isutf8(pattern)) and (gsub(pattern, '[\194-\244][\128-\191]*', '\255'))
end

local native_patterns, pattern_slots = {}, 1024

local function native_pattern(s, pattern)
	if not is_ascii(s) then
		return false
	end
	local known = native_patterns[pattern]
	if known == nil then
		known = translate(pattern)
		if #pattern <= 4 * SHORT and pattern_slots > 0 then
			native_patterns[pattern], pattern_slots = known, pattern_slots - 1
		end
	end
	return known
end
lib.native_pattern = native_pattern

-- Short strings in which the host has not found a match, by pattern.
local misses, miss_slots = {}, 4096

local function is_miss(s, pattern)
	local known = misses[pattern]
	return known and known[s]
end

local function record_miss(s, pattern)
	if #s <= SHORT and #pattern <= 4 * SHORT and miss_slots > 0 then
		misses[pattern] = misses[pattern] or {}
		misses[pattern][s], miss_slots = true, miss_slots - 1
	end
end

local function check_number(name, index, value, default)
	if value == nil then
		return default
	end
	local number = tonumber(value)
	if not number then
		local problem = "bad argument #%d to '%s' (number expected, got %s)"
		error(problem:format(index, name, type(value)), 3)
	end
	return number < 0 and math.ceil(number) or math.floor(number)
end

local function check_length(name, index, s, limit, what)
	if #s > limit and #s > 4 * limit then
		error(("bad argument #%d to '%s' (%s is too long)"):format(index, name, what), 3)
	end
end

local function check_pattern(name, s, pattern)
	if type(s) ~= 'string' or type(pattern) ~= 'string' then
		s, pattern = check_text(name, 1, s), check_text(name, 2, pattern)
	end
	if #s > STRING_LENGTH or #pattern > PATTERN_LENGTH then
		check_length(name, 1, s, STRING_LENGTH, 'string')
		check_length(name, 2, pattern, PATTERN_LENGTH, 'pattern')
	end
	return s, pattern
end

function ustring.isutf8(s)
	s = check_text('isutf8', 1, s)
	return is_ascii(s) or unwrap(2, host.isutf8(s))
end

function ustring.len(s)
	s = check_text('len', 1, s)
	if is_ascii(s) then
		return #s
	end
	return unwrap(2, host.len(s))
end

function ustring.sub(s, i, j)
	s = check_text('sub', 1, s)
	i, j = check_number('sub', 2, i, 1), check_number('sub', 3, j, -1)
	if is_ascii(s) then
		return sub(s, i, j)
	end
	return unwrap(2, host.sub(s, i, j))
end

function ustring.byteoffset(s, position, start)
	s = check_text('byteoffset', 1, s)
	position, start = check_number('byteoffset', 2, position, 1), check_number('byteoffset', 3, start, 1)
	return unwrap(2, host.byteoffset(s, position, start))
end

function ustring.codepoint(s, i, j)
	s = check_text('codepoint', 1, s)
	i = check_number('codepoint', 2, i, 1)
	return unwrap(2, host.codepoint(s, i, check_number('codepoint', 3, j, i)))
end

function ustring.gcodepoint(s, i, j)
	s = check_text('gcodepoint', 1, s)
	i, j = check_number('gcodepoint', 2, i, 1), check_number('gcodepoint', 3, j, -1)
	local codes, index = unwrap(2, host.codepoints(s, i, j)), 0
	return function()
		index = index + 1
		return codes[index]
	end
end

function ustring.char(...)
	for index = 1, select('#', ...) do
		check_number('char', index, (select(index, ...)))
	end
	return unwrap(2, host.char(...))
end

local function converter(name, plain)
	return function(s)
		s = check_text(name, 1, s)
		if plain and is_ascii(s) then
			return plain(s)
		end
		return unwrap(2, host[name](s))
	end
end

ustring.upper = converter('upper', native.upper)
ustring.lower = converter('lower', native.lower)
local function same(s)
	return s
end
ustring.toNFC = converter('toNFC', same)
ustring.toNFD = converter('toNFD', same)
ustring.toNFKC = converter('toNFKC', same)
ustring.toNFKD = converter('toNFKD', same)

function ustring.format(format, ...)
	format = check_text('format', 1, format)
	local values, index = { ... }, 0
	local out = gsub(format, '%%([-+ #0]*)(%d*)(%.?%d*)(.)', function(flags, width, precision, kind)
		if kind == '%' then
			return '%%'
		end
		index = index + 1
		local value = values[index]
		if kind ~= 's' or type(value) ~= 'string' or is_ascii(value) then
			return nil
		end
		local places = tonumber((gsub(precision, '^%.', '')))
		local shown = places and ustring.sub(value, 1, places) or value
		local missing = (tonumber(width) or 0) - ustring.len(shown)
		if missing > 0 then
			local blanks = rep(' ', missing)
			shown = find(flags, '-', 1, true) and shown .. blanks or blanks .. shown
		end
		values[index] = shown
		return '%s'
	end)
	return native.format(out, unpack(values, 1, select('#', ...)))
end

-- The results of the host, after recording a miss.
local function host_match(s, pattern, init, ...)
	if init == 1 and (...) == nil then
		record_miss(s, pattern)
	end
	return ...
end

function ustring.find(s, pattern, init, plain)
	s, pattern = check_pattern('find', s, pattern)
	init = check_number('find', 3, init, 1)
	if plain then
		if is_ascii(s) then
			return find(s, pattern, init, true)
		end
		return unwrap(2, host.find(s, pattern, init, true))
	end
	local own = native_pattern(s, pattern)
	if own then
		return find(s, own, init)
	elseif is_miss(s, pattern) then
		return nil
	end
	return host_match(s, pattern, init, unwrap(2, host.find(s, pattern, init, false)))
end

function ustring.match(s, pattern, init)
	s, pattern = check_pattern('match', s, pattern)
	init = check_number('match', 3, init, 1)
	local own = native_pattern(s, pattern)
	if own then
		return match(s, own, init)
	elseif is_miss(s, pattern) then
		return nil
	end
	return host_match(s, pattern, init, unwrap(2, host.match(s, pattern, init)))
end

function ustring.gmatch(s, pattern)
	s, pattern = check_pattern('gmatch', s, pattern)
	local own = native_pattern(s, pattern)
	if own then
		return gmatch(s, own)
	end
	local size, found = unwrap(2, host.gmatch(s, pattern))
	local index = 1
	return function()
		local from = index
		index = from + size
		if found[from] ~= nil then
			return unpack(found, from, index - 1)
		end
	end, nil, nil
end

local function string_replacer(replacement)
	return function(whole, ...)
		local captures = { ... }
		return (gsub(replacement, '%%(.)', function(what)
			if what == '0' then
				return whole
			elseif find(what, '%d') then
				local captured = captures[tonumber(what)]
				if captured == nil and what == '1' and #captures == 0 then
					return whole
				elseif captured == nil then
					error('invalid capture index', 4)
				end
				return tostring(captured)
			end
			return what
		end))
	end
end

local function replacer(replacement)
	local kind = type(replacement)
	if kind == 'number' then
		replacement, kind = tostring(replacement), 'string'
	end
	if kind == 'string' then
		return string_replacer(replacement)
	elseif kind == 'table' then
		return function(whole, first)
			return replacement[first == nil and whole or first]
		end
	elseif kind == 'function' then
		return function(whole, ...)
			if select('#', ...) == 0 then
				return replacement(whole)
			end
			return replacement(...)
		end
	end
	error("bad argument #3 to 'gsub' (string/function/table expected)", 3)
end

-- The host returns, for each match, the string before it, the match and its captures; and finally the
-- rest of the string.
function ustring.gsub(s, pattern, replacement, count)
	s, pattern = check_pattern('gsub', s, pattern)
	count = check_number('gsub', 4, count, nil)
	local own = native_pattern(s, pattern)
	if own then
		return gsub(s, own, replacement, count)
	end
	local replace = replacer(replacement)
	if is_miss(s, pattern) then
		return s, 0
	end
	local size, total, found = unwrap(2, host.gsub(s, pattern, count or -1))
	if total == 0 and count ~= 0 then
		record_miss(s, pattern)
		return s, 0
	end
	local out, position = {}, 1
	for _ = 1, total do
		local whole = found[position + 1]
		local value = replace(unpack(found, position + 1, position + 1 + size))
		if value == nil or value == false then
			value = whole
		elseif type(value) ~= 'string' and type(value) ~= 'number' then
			error('invalid replacement value (a ' .. type(value) .. ')', 2)
		end
		out[#out + 1] = found[position]
		out[#out + 1] = value
		position = position + size + 2
	end
	out[#out + 1] = found[position]
	return table.concat(out), total
end

-- These functions are also methods of strings, with the prefix "u" if Lua has one of the same name.
for _, strings in ipairs { lib.globals.string, lib.string_methods } do
	for name, value in pairs(ustring) do
		if type(value) == 'function' then
			strings[native[name] and 'u' .. name or name] = value
		end
	end
end

lib.libraries.ustring = function()
	return ustring
end
