-- require('strict'): accessing a global variable that has not been declared is an error.
--
-- The lines of the errors are those in Scribunto, as in package.lua.
local lib = ...
local error, tostring = error, tostring
local getmetatable, rawset, setmetatable = getmetatable, rawset, setmetatable

lib.libraries.strict = function(env)
	local meta = getmetatable(env)
	if meta == nil then
		meta = {}
		setmetatable(env, meta)
	end

	function meta.__newindex(t, name, value)
		if name == 'arg' then
			rawset(t, name, value)
			return
		end
		local variable = "variable '" .. tostring(name) .. "'"
		error('assign to undeclared ' .. variable, 2)
	end

	function meta.__index(_, name)
		if name == 'arg' then
			return nil
		end
		error("variable '" .. tostring(name) .. "' is not declared", 2)
	end

	return true
end
