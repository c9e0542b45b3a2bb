-- mw.text: functions for texts.
local lib = ...
local mw, util, call = lib.mw, lib.util, lib.call
local type, error, next, tostring = type, error, next, lib.globals.tostring
local byte, find, sub = lib.native.string.byte, lib.native.string.find, lib.native.string.sub
local text = {}
mw.text = text

local ESCAPES = { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;', ['"'] = '&quot;', ['\194\160'] = '&nbsp;' }

function text.encode(s, charset)
	s = util.checkText('encode', 1, s)
	charset = util.checkText('encode', 2, charset, true)
	local set = charset or '<>&"\'\194\160'
	return (mw.ustring.gsub(s, '[' .. set .. ']', function(character)
		return ESCAPES[character] or ('&#%d;'):format(mw.ustring.codepoint(character))
	end))
end

local BASIC = { lt = '<', gt = '>', amp = '&', quot = '"', nbsp = '\194\160' }

local function reference(code)
	if code and code <= 0x10FFFF and not (code >= 0xD800 and code < 0xE000) then
		return mw.ustring.char(code)
	end
end

function text.decode(s, named)
	s = util.checkText('decode', 1, s)
	util.checkType('decode', 2, named, 'boolean', true)
	return (s:gsub('(&(#?x?)([a-zA-Z0-9]+);)', function(whole, mark, name)
		if mark == '#' then
			return reference(tonumber(name, 10)) or whole
		elseif mark == '#x' then
			return reference(tonumber(name, 16)) or whole
		elseif mark == 'x' then
			name = 'x' .. name
		end
		if named then
			return call('entity', name) or whole
		end
		return BASIC[name] or whole
	end))
end

local NOWIKI = {
	['"'] = '&#34;', ['&'] = '&#38;', ["'"] = '&#39;', ['<'] = '&#60;', ['='] = '&#61;',
	['>'] = '&#62;', ['['] = '&#91;', [']'] = '&#93;', ['{'] = '&#123;', ['|'] = '&#124;',
	['}'] = '&#125;', [';'] = '&#59;',
}
local AT_START = {
	['#'] = '&#35;', ['*'] = '&#42;', [':'] = '&#58;', [' '] = '&#32;', ['\t'] = '&#9;',
	['!'] = '&#33;', ['\n'] = '&#10;', ['\r'] = '&#13;',
}

-- Schemes without slashes, whose colons are escaped. They are filled with the facts about the wiki.
lib.url_schemes = {}

function text.nowiki(s)
	s = util.checkText('nowiki', 1, s)
	s = s:gsub('["&\'<=>%[%]{|};]', NOWIKI)
	s = ('\n' .. s):gsub('([\n\r])([#*: \n\r\t!])', function(line, first)
		return line .. AT_START[first]
	end)
	s = s:gsub('([\n\r])%-%-%-%-', '%1&#45;---'):sub(2)
	s = s:gsub('!!', '&#33;!'):gsub('__', '_&#95;'):gsub('://', '&#58;//'):gsub('~~~', '~~&#126;')
	s = s:gsub('%f[%w](%a+):', function(scheme)
		return lib.url_schemes[scheme:lower()] and scheme .. '&#58;' or nil
	end)
	return (s:gsub('([IRP][SFM][BCI][ND]?)([\t\n\f\r ])', function(word, blank)
		if word == 'ISBN' or word == 'RFC' or word == 'PMID' then
			return word .. ('&#%d;'):format(blank:byte())
		end
	end))
end

local function name_and_value(key, value)
	local kind = type(key)
	if kind ~= 'string' then
		error("bad named argument attrs to 'tag' (keys must be strings, found " .. kind .. ')', 4)
	elseif not key:find('^[^\t\r\n\f /><"\'=]+$') then
		error("bad named argument attrs to 'tag' (invalid key '" .. key .. "')", 4)
	end
	kind = type(value)
	if kind == 'boolean' then
		return value and ' ' .. key or ''
	elseif kind ~= 'string' and kind ~= 'number' then
		local problem = "bad named argument attrs to 'tag' (value for key '%s' may not be %s)"
		error(problem:format(key, kind), 4)
	end
	return ' ' .. key .. '="' .. text.encode(tostring(value)) .. '"'
end

function text.tag(name, attributes, content)
	if type(name) == 'table' then
		name, attributes, content = name.name, name.attrs, name.content
		util.checkTypeForNamedArg('tag', 'name', name, 'string')
	else
		util.checkType('tag', 1, name, 'string')
	end
	local parts = { '<' .. name }
	if attributes ~= nil then
		util.checkType('tag', 2, attributes, 'table')
		for key, value in lib.globals.pairs(attributes) do
			parts[#parts + 1] = name_and_value(key, value)
		end
	end
	if content == false then
		return table.concat(parts) .. ' />'
	end
	parts[#parts + 1] = '>'
	if content ~= nil then
		local kind = type(content)
		if kind ~= 'string' and kind ~= 'number' and kind ~= 'table' then
			error("bad argument #3 to 'tag' (string or number expected, got " .. kind .. ')', 2)
		end
		return table.concat(parts) .. tostring(content) .. '</' .. name .. '>'
	end
	return table.concat(parts)
end

local MARKER = "\127'\"`UNIQ%-%-[^\127<>&'\"]+%-QINU`\"'\127"

function text.killMarkers(s)
	return (util.checkText('killMarkers', 1, s):gsub(MARKER, ''))
end

-- A host call is necessary only if there is a marker. Most texts have none.
function text.unstripNoWiki(s, decode)
	s = util.checkText('unstripNoWiki', 1, s)
	return s:find(MARKER) and call('unstripNoWiki', s, decode == true) or s
end

function text.unstrip(s)
	s = util.checkText('unstrip', 1, s)
	return s:find(MARKER) and call('unstrip', s) or s
end

local BLANKS = { [9] = true, [10] = true, [12] = true, [13] = true, [32] = true }

local function trimmed(s)
	local first = find(s, '[^\t\r\n\f ]')
	if not first then
		return ''
	end
	local last = #s
	while BLANKS[byte(s, last)] do
		last = last - 1
	end
	return sub(s, first, last)
end

function text.trim(s, charset)
	s = util.checkText('trim', 1, s)
	charset = util.checkText('trim', 2, charset, true)
	if not charset then
		return trimmed(s)
	end
	s = mw.ustring.gsub(s, '^[' .. charset .. ']+', '')
	return (mw.ustring.gsub(s, '[' .. charset .. ']+$', ''))
end

-- An iterator over the pieces of a string, with Lua's own find; empty matches separate single
-- characters.
local function plain_pieces(s, pattern, plain)
	local position, size = 1, #s
	return function()
		if not position then
			return nil
		end
		local first, last = find(s, pattern, position, plain)
		local from = position
		if not first then
			position = nil
			return sub(s, from)
		elseif last < first then
			position = first < size and first + 1 or nil
			return sub(s, from, first)
		end
		position = last + 1
		return sub(s, from, first - 1)
	end
end

local function pieces_of(s, pattern, plain)
	local own = lib.native_pattern(s, pattern)
	if own then
		return plain_pieces(s, plain and pattern or own, plain)
	end
	local pieces, index = lib.unwrap(3, lib.unicode.split(s, pattern, plain and true or false)), 0
	return function()
		index = index + 1
		return pieces[index]
	end
end

function text.gsplit(s, pattern, plain)
	s = util.checkText('gsplit', 1, s)
	pattern = util.checkText('gsplit', 2, pattern)
	return pieces_of(s, pattern, plain), nil, nil
end

function text.split(s, pattern, plain)
	local out = {}
	for piece in text.gsplit(s, pattern, plain) do
		out[#out + 1] = piece
	end
	return out
end

function text.listToText(list, separator, conjunction)
	util.checkType('listToText', 1, list, 'table')
	local count = #list
	if count < 2 then
		return count == 1 and tostring(list[1]) or ''
	end
	separator = separator or call('message', 'comma-separator')
	conjunction = conjunction or call('message', 'and') .. call('message', 'word-separator')
	return table.concat(list, separator, 1, count - 1) .. conjunction .. list[count]
end

function text.truncate(s, length, ellipsis, adjust)
	s = util.checkText('truncate', 1, s)
	util.checkType('truncate', 2, length, 'number')
	ellipsis = util.checkText('truncate', 3, ellipsis, true) or call('message', 'ellipsis')
	local size = mw.ustring.len(s)
	if size <= math.abs(length) then
		return s
	end
	local extra = adjust and mw.ustring.len(ellipsis) or 0
	local out
	if length < 0 then
		out = ellipsis .. mw.ustring.sub(s, length + extra)
	else
		out = mw.ustring.sub(s, 1, math.max(length - extra, 0)) .. ellipsis
	end
	return mw.ustring.len(out) < size and out or s
end

function text.plainText(s)
	return call('plainText', util.checkText('plainText', 1, s))
end

-- JSON

text.JSON_PRESERVE_KEYS = 1
text.JSON_TRY_FIXING = 2
text.JSON_PRETTY = 4

local function has(flags, flag)
	return math.floor((flags or 0) / flag) % 2 == 1
end

function lib.json_decode(s, flags)
	return lib.unwrap(3, lib.decode_json(s, has(flags, 1), has(flags, 2)))
end

function text.jsonDecode(s, flags)
	s = util.checkText('jsonDecode', 1, s)
	util.checkType('jsonDecode', 2, flags, 'number', true)
	return lib.json_decode(s, flags)
end

local CONTROL = {
	['"'] = '\\"', ['\\'] = '\\\\', ['\b'] = '\\b', ['\f'] = '\\f', ['\n'] = '\\n',
	['\r'] = '\\r', ['\t'] = '\\t',
}

local function quoted(s)
	return '"' .. s:gsub('[%c"\\\127]', function(character)
		return CONTROL[character] or character ~= '\127' and ('\\u%04x'):format(character:byte()) or nil
	end) .. '"'
end

local function number_text(value)
	if value ~= value or value == math.huge or value == -math.huge then
		error('mw.text.jsonEncode: JSON has no infinite numbers, and no NaN', 0)
	end
	local shown = ('%.17g'):format(value)
	local short = ('%.15g'):format(value)
	return tonumber(short) == value and short or shown
end

-- The number of items if the keys are a sequence from 1, or nil.
local function list_length(value)
	local count = 0
	for key in lib.globals.pairs(value) do
		if type(key) ~= 'number' or key < 1 or key % 1 ~= 0 then
			return nil
		end
		count = count + 1
	end
	for index = 1, count do
		if value[index] == nil then
			return nil
		end
	end
	return count
end

local encode

local function key_text(key)
	local kind = type(key)
	if kind ~= 'string' and kind ~= 'number' then
		error("mw.text.jsonEncode: a " .. kind .. ' cannot be a key in JSON', 0)
	end
	return kind == 'number' and number_text(key) or key
end

local function encode_table(value, how, indent, seen)
	if seen[value] then
		error('mw.text.jsonEncode: a table holds itself', 0)
	end
	seen[value] = true
	local count = not how.preserve and list_length(value)
	local inner = how.pretty and indent .. '    ' or ''
	local out = {}
	if count then
		for index = 1, count do
			out[index] = inner .. encode(value[index], how, inner, seen)
		end
	else
		local colon = how.pretty and ': ' or ':'
		for key, each in lib.globals.pairs(value) do
			out[#out + 1] = inner .. quoted(key_text(key)) .. colon .. encode(each, how, inner, seen)
		end
	end
	seen[value] = nil
	local open, close = count and '[' or '{', count and ']' or '}'
	if #out == 0 or not how.pretty then
		return open .. table.concat(out, ',') .. close
	end
	return open .. '\n' .. table.concat(out, ',\n') .. '\n' .. indent .. close
end

encode = function(value, how, indent, seen)
	local kind = type(value)
	if kind == 'string' then
		return quoted(value)
	elseif kind == 'number' then
		return number_text(value)
	elseif kind == 'nil' or kind == 'boolean' then
		return kind == 'nil' and 'null' or value and 'true' or 'false'
	elseif kind ~= 'table' then
		error('mw.text.jsonEncode: JSON has no ' .. kind, 0)
	end
	return encode_table(value, how, indent, seen)
end

function text.jsonEncode(value, flags)
	util.checkType('jsonEncode', 2, flags, 'number', true)
	return encode(value, { preserve = has(flags, 1), pretty = has(flags, 4) }, '', {})
end
