-- require('strict'): accessing a global variable that has not been declared is an error.
local lib = ...
local error, tostring = error, tostring
local getmetatable, setmetatable = getmetatable, setmetatable

lib.libraries.strict = function(env)
	local meta = getmetatable(env)
	if meta == nil then
		meta = {}
		setmetatable(env, meta)
	end
	function meta.__newindex(t, name, value)
		if name == 'arg' then
			return rawset(t, name, value)
		end
		error("assign to undeclared variable '" .. tostring(name) .. "'", 2)
	end
	function meta.__index(_, name)
		if name ~= 'arg' then
			error("variable '" .. tostring(name) .. "' is not declared", 2)
		end
	end
	return true
end
