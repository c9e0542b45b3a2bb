-- require() and package: modules of the wiki and the libraries that come along.
local lib = ...
local native = lib.native
local error, type, setfenv, setmetatable = error, type, native.setfenv, setmetatable
local sentinel = {}


-- The module's function for one environment, or nil where there is no such module.
function lib.load_module(name, env)
	local chunk = lib.chunk(name)
	if not chunk then
		return nil
	end
	return function(...)
		local before = native.getfenv(chunk)
		setfenv(chunk, env)
		return lib.restored(chunk, before, chunk(...))
	end
end

function lib.restored(chunk, before, ...)
	setfenv(chunk, before)
	return ...
end

local function find(env, name)
	local preload = env.package.preload
	if type(preload) == 'table' and preload[name] then
		return preload[name]
	end
	local make = lib.libraries[name]
	if make then
		return function()
			return make(env)
		end
	end
	return lib.load_module(name, env)
end

local function required(env, loaded, name)
	local known = loaded[name]
	if known == sentinel then
		error("loop or previous error loading module '" .. name .. "'", 3)
	elseif known then
		return known
	end
	local loader = find(env, name)
	if not loader then
		-- Known to those who read error messages by this place.
		error("package.lua:80: module '" .. name .. "' not found", 0)
	end
	loaded[name] = sentinel
	local result = loader(name)
	if result ~= nil then
		loaded[name] = result
	elseif loaded[name] == sentinel then
		loaded[name] = true
	end
	return loaded[name]
end

function lib.add_package(env)
	local loaded = {}
	for _, name in ipairs { 'string', 'table', 'math', 'os', 'debug', 'mw' } do
		loaded[name] = env[name]
	end
	loaded._G = env
	env.package = { loaded = loaded, preload = {}, loaders = {} }
	function env.require(name)
		local kind = type(name)
		if kind ~= 'string' and kind ~= 'number' then
			local got = name == nil and 'no value' or kind
			error("bad argument #1 to 'require' (string expected, got " .. got .. ')', 2)
		end
		return required(env, loaded, tostring(name))
	end
end

-- An error in a module's source tells its place itself.
function lib.chunk(name)
	local ok, chunk = lib.settled(lib.chunk_of(name))
	if not ok then
		error(chunk, 0)
	end
	return chunk
end
