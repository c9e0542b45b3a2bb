-- mw.language: functions that depend on the language.
local lib = ...
local mw, util, call = lib.mw, lib.util, lib.call
local type, error, tostring, setmetatable = type, error, lib.globals.tostring, setmetatable
local language = {}
mw.language = language

local codes = setmetatable({}, { __mode = 'k' })
local directions = {}
local methods, meta = {}, {}
meta.__index = methods

function meta.__tostring(self)
	return codes[self]
end

local function code_of(self, method)
	local code = codes[self]
	if not code then
		error(('language:%s needs a language: call it with a colon'):format(method), 3)
	end
	return code
end

-- Defines a method that calls a host function.
local function define_host_method(name, ...)
	local kinds = { ... }
	methods[name] = function(self, ...)
		local code = code_of(self, name)
		for index, kind in ipairs(kinds) do
			if kind == 'text' then
				util.checkText(name, index, (select(index, ...)))
			end
		end
		return call('language.' .. name, code, ...)
	end
end

function methods:getCode()
	return code_of(self, 'getCode')
end

function methods:toBcp47Code()
	return call('language.toBcp47Code', code_of(self, 'toBcp47Code'))
end

function methods:getFallbackLanguages()
	return language.getFallbacksFor(code_of(self, 'getFallbackLanguages'))
end

function methods:isRTL()
	local code = code_of(self, 'isRTL')
	if directions[code] == nil then
		directions[code] = call('language.isRTL', code)
	end
	return directions[code]
end

function methods:getDir()
	return self:isRTL() and 'rtl' or 'ltr'
end

function methods:getDirMark(opposite)
	local rtl = self:isRTL()
	if opposite then
		rtl = not rtl
	end
	return rtl and '\226\128\143' or '\226\128\142'
end

function methods:getDirMarkEntity(opposite)
	local rtl = self:isRTL()
	if opposite then
		rtl = not rtl
	end
	return rtl and '&rlm;' or '&lrm;'
end

local ARROWS = { up = '↑', down = '↓', left = '←', right = '→' }

function methods:getArrow(direction)
	local rtl = self:isRTL()
	direction = direction or 'forwards'
	if direction == 'forwards' then
		direction = rtl and 'left' or 'right'
	elseif direction == 'backwards' then
		direction = rtl and 'right' or 'left'
	end
	return ARROWS[direction]
end

function methods:lc(s)
	code_of(self, 'lc')
	return mw.ustring.lower(util.checkText('lc', 1, s))
end

function methods:uc(s)
	code_of(self, 'uc')
	return mw.ustring.upper(util.checkText('uc', 1, s))
end

-- Converts the first letter. The dot of an i depends on the language, and so do letters beyond ASCII.
local function with_first(code, method, s, convert)
	if s == '' then
		return s
	elseif s:find('^[%z\1-HJ-hj-\127]') then
		return convert(s:sub(1, 1)) .. s:sub(2)
	end
	return lib.cached_call('language.' .. method, code, mw.ustring.sub(s, 1, 1)) .. mw.ustring.sub(s, 2)
end

function methods:lcfirst(s)
	local code = code_of(self, 'lcfirst')
	return with_first(code, 'lcfirst', util.checkText('lcfirst', 1, s), lib.globals.string.lower)
end

function methods:ucfirst(s)
	local code = code_of(self, 'ucfirst')
	return with_first(code, 'ucfirst', util.checkText('ucfirst', 1, s), lib.globals.string.upper)
end

define_host_method('caseFold', 'text')
define_host_method('parseFormattedNumber', 'text')
define_host_method('convertGrammar', 'text', 'text')

local notations = {}

local function group_digits(whole, notation)
	local size, head, groups = notation.group_size, whole:sub(1, -4), whole:sub(-3)
	while head ~= '' do
		groups = head:sub(-size) .. notation.group .. groups
		head = head:sub(1, -size - 1)
	end
	return groups
end

-- A number formatted as by the server, or nil if it is too long or the language does not use ASCII
-- digits.
local function format_locally(code, text, is_grouped)
	local sign, whole, point, fraction = text:match('^(%-?)(%d+)(%.?)(%d*)$')
	if not sign or #point + #fraction == 1 or #whole + #fraction > 14 then
		return nil
	end
	local notation = notations[code]
	if notation == nil then
		notation = call('language.notation', code)
		notations[code] = notation
	end
	if not notation then
		return nil
	end
	if is_grouped then
		point = point ~= '' and notation.decimal or ''
		whole = #whole >= notation.shortest and group_digits(whole, notation) or whole
	end
	return (sign == '-' and notation.minus or '') .. whole .. point .. fraction
end

function methods:formatNum(number, options)
	local code = code_of(self, 'formatNum')
	util.checkTypeMulti('formatNum', 1, number, { 'number', 'string' })
	util.checkType('formatNum', 2, options, 'table', true)
	local is_grouped = not (options and options.noCommafy)
	local formatted = format_locally(code, tostring(number), is_grouped)
	return formatted or call('language.formatNum', code, tostring(number), not is_grouped)
end

function methods:grammar(case, word)
	return self:convertGrammar(word, case)
end

function methods:formatDate(format, timestamp, localTime)
	local code = code_of(self, 'formatDate')
	format = util.checkText('formatDate', 1, format)
	timestamp = util.checkText('formatDate', 2, timestamp, true)
	util.checkType('formatDate', 3, localTime, 'boolean', true)
	return lib.cached_call('language.formatDate', code, format, timestamp or '', localTime == true)
end

local function forms_of(...)
	local first = ...
	return type(first) == 'table' and first or { ... }
end

function methods:convertPlural(number, ...)
	local code = code_of(self, 'convertPlural')
	local forms = forms_of(...)
	if type(number) ~= 'number' and not tonumber(number) then
		util.checkType('convertPlural', 1, number, 'number')
	end
	return call('language.plural', code, tostring(number), unpack(forms))
end
methods.plural = methods.convertPlural

function methods:gender(name, ...)
	local code = code_of(self, 'gender')
	return call('language.gender', code, util.checkText('gender', 1, name), unpack(forms_of(...)))
end

local UNITS = {
	{ 'millennia', 31556952000 }, { 'centuries', 3155695200 }, { 'decades', 315569520 },
	{ 'years', 31556952 }, { 'weeks', 604800 }, { 'days', 86400 }, { 'hours', 3600 },
	{ 'minutes', 60 }, { 'seconds', 1 },
}

local function is_wanted(name, intervals)
	for _, each in ipairs(intervals) do
		if each == name then
			return true
		end
	end
	return false
end

function methods:getDurationIntervals(seconds, intervals)
	code_of(self, 'getDurationIntervals')
	util.checkType('getDurationIntervals', 1, seconds, 'number')
	intervals = intervals or { 'millennia', 'centuries', 'decades', 'years', 'days', 'hours', 'minutes', 'seconds' }
	local out, rest, any, smallest = {}, math.floor(seconds + 0.5), false, nil
	for _, unit in ipairs(UNITS) do
		local name, size = unit[1], unit[2]
		if is_wanted(name, intervals) then
			local count = math.floor(rest / size)
			smallest = name
			if count > 0 then
				out[name], any = count, true
				rest = rest - count * size
			end
		end
	end
	if not any and smallest then
		out[smallest] = 0
	end
	return out
end

function methods:formatDuration(seconds, intervals)
	local parts = self:getDurationIntervals(seconds, intervals)
	local list = {}
	for _, unit in ipairs(UNITS) do
		local count = parts[unit[1]]
		if count then
			list[#list + 1] = call('language.duration', codes[self], unit[1], tostring(count))
		end
	end
	return mw.text.listToText(list)
end

local function new(code)
	local object = setmetatable({}, meta)
	codes[object] = code
	return object
end

function language.new(code)
	code = util.checkText('mw.language.new', 1, code)
	if not call('language.isValidCode', code) then
		error("mw.language.new: '" .. code .. "' is not a valid language code", 2)
	end
	return new(code:lower())
end
mw.getLanguage = language.new

function language.getContentLanguage()
	return new(lib.content_language)
end
mw.getContentLanguage = language.getContentLanguage

function language.getPageLanguage()
	return new(lib.page_language)
end

local function define_host_function(name)
	language[name] = function(code, ...)
		return call('language.' .. name, util.checkText(name, 1, code), ...)
	end
end

define_host_function('isKnownLanguageTag')
define_host_function('isSupportedLanguage')
define_host_function('isValidBuiltInCode')
define_host_function('isValidCode')
define_host_function('fetchLanguageName')
define_host_function('getFallbacksFor')

function language.fetchLanguageNames(inLanguage, include)
	return call('language.fetchLanguageNames', inLanguage or false, include or false)
end

language.FALLBACK_MESSAGES = 0
language.FALLBACK_STRICT = 1
