-- Argument checks for all libraries, available to modules as require('libraryUtil').
local lib = ...
local type, error, tostring, rawequal = type, error, tostring, rawequal
local util = {}
lib.util = util

function util.checkType(name, index, value, expected, nilOk)
	if value == nil and nilOk then
		return
	end
	if type(value) ~= expected then
		local text = "bad argument #%d to '%s' (%s expected, got %s)"
		error(text:format(index, name, expected, type(value)), 3)
	end
end

-- "a", "a or b", or "a, b, or c"
local function alternatives(words)
	if #words < 3 then
		return table.concat(words, ' or ')
	end
	return table.concat(words, ', ', 1, #words - 1) .. ', or ' .. words[#words]
end

function util.checkTypeMulti(name, index, value, expected)
	local kind = type(value)
	for _, each in ipairs(expected) do
		if kind == each then
			return
		end
	end
	local text = "bad argument #%d to '%s' (%s expected, got %s)"
	error(text:format(index, name, alternatives(expected), kind), 3)
end

function util.checkTypeForIndex(index, value, expected)
	if type(value) ~= expected then
		local text = "value for index '%s' must be %s, %s given"
		error(text:format(tostring(index), expected, type(value)), 3)
	end
end

function util.checkTypeForNamedArg(name, arg, value, expected, nilOk)
	if value == nil and nilOk then
		return
	end
	if type(value) ~= expected then
		local text = "bad named argument %s to '%s' (%s expected, got %s)"
		error(text:format(tostring(arg), name, expected, type(value)), 3)
	end
end

function util.makeCheckSelfFunction(library, variable, object, description)
	return function(self, method)
		if not rawequal(self, object) then
			local text = '%s: no %s; call %s with a colon: %s:%s()'
			error(text:format(library, description, method, variable, method), 3)
		end
	end
end

-- The value as a string; like Lua's own functions, it accepts strings and numbers.
function util.checkText(name, index, value, nilOk)
	if value == nil and nilOk then
		return nil
	end
	local kind = type(value)
	if kind == 'number' then
		return tostring(value)
	elseif kind ~= 'string' then
		local got = value == nil and 'nil' or kind
		error(("bad argument #%d to '%s' (string expected, got %s)"):format(index, name, got), 3)
	end
	return value
end

lib.libraries.libraryUtil = function()
	local out = {}
	for key, value in pairs(util) do
		if key ~= 'checkText' then
			out[key] = value
		end
	end
	return out
end
