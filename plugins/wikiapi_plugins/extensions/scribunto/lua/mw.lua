-- The functions of mw itself.
local lib = ...
local mw, util, call = lib.mw, lib.util, lib.call
local type, next, error, setmetatable = type, next, error, setmetatable
local tostring = lib.globals.tostring
local select = select

function mw.getCurrentFrame()
	return lib.frame
end

function mw.allToString(...)
	local out = {}
	for index = 1, select('#', ...) do
		out[index] = tostring((select(index, ...)))
	end
	return table.concat(out, '\t')
end

local function clone(value, seen)
	if type(value) ~= 'table' then
		return value
	elseif seen[value] then
		return seen[value]
	end
	local out = {}
	seen[value] = out
	for key, each in next, value do
		out[clone(key, seen)] = clone(each, seen)
	end
	local meta = lib.globals.getmetatable(value)
	return type(meta) == 'table' and setmetatable(out, meta) or out
end

function mw.clone(value)
	return clone(value, {})
end

function mw.isSubsting()
	return lib.is_substing
end

function mw.incrementExpensiveFunctionCount()
	call('expensive')
end

function mw.addWarning(text)
	util.checkType('addWarning', 1, text, 'string')
	call('warn', text)
end

local MAX_LOG_LENGTH = 100000
local lines, length_left = {}, MAX_LOG_LENGTH

local function log(line)
	if length_left > 0 then
		lines[#lines + 1] = line:sub(1, length_left)
		length_left = length_left - #line - 1
	end
end

-- The text logged since the last call, or nil.
function lib.take_log()
	if #lines == 0 then
		return nil
	end
	local text = table.concat(lines, '\n')
	lines = {}
	return text
end

function mw.log(...)
	log(mw.allToString(...))
end

local function quoted(text)
	return ('%q'):format(text):gsub('\\\n', '\\n')
end

local function sorted_keys(value)
	local keys = {}
	for key in next, value do
		keys[#keys + 1] = key
	end
	local rank = { number = 1, string = 2 }
	table.sort(keys, function(a, b)
		local x, y = rank[type(a)] or 3, rank[type(b)] or 3
		if x ~= y then
			return x < y
		end
		return x < 3 and a < b
	end)
	return keys
end

local function dump(value, indent, seen, counts)
	local kind = type(value)
	if kind == 'string' then
		return (quoted(value))
	elseif kind ~= 'table' then
		return tostring(value)
	end
	local meta = lib.globals.getmetatable(value)
	if seen[value] then
		return seen[value]
	end
	counts.n = counts.n + 1
	local name = 'table#' .. counts.n
	seen[value] = name
	local inner = indent .. '  '
	local lines = { name .. ' {\n' }
	if type(meta) == 'table' then
		lines[#lines + 1] = inner .. 'metatable = ' .. dump(meta, inner, seen, counts) .. '\n'
	end
	local listed = {}
	for index = 1, #value do
		listed[index] = true
		lines[#lines + 1] = inner .. dump(value[index], inner, seen, counts) .. ',\n'
	end
	for _, key in ipairs(sorted_keys(value)) do
		if not listed[key] then
			lines[#lines + 1] = inner .. '[' .. dump(key, inner, seen, counts) .. '] = '
				.. dump(value[key], inner, seen, counts) .. ',\n'
		end
	end
	return table.concat(lines) .. indent .. '}'
end

function mw.dumpObject(object)
	return dump(object, '', {}, { n = 0 })
end

function mw.logObject(object, prefix)
	local text = mw.dumpObject(object)
	log(prefix and tostring(prefix) .. ' = ' .. text or text)
end

mw.ext = {} -- for the libraries of other extensions
