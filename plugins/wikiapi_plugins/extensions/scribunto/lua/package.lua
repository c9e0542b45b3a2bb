-- require() and package, which load modules of the wiki and the bundled libraries.
local lib = ...
local native = lib.native
local error, type, setfenv, setmetatable = error, type, native.setfenv, setmetatable
local LOADING = {}


-- The loader of a module in an environment, or nil if the module does not exist.
function lib.load_module(name, env)
	local chunk = lib.find_module(name)
	if not chunk then
		return nil
	end
	return function(...)
		local previous = native.getfenv(chunk)
		setfenv(chunk, env)
		return lib.restore_environment(chunk, previous, chunk(...))
	end
end

function lib.restore_environment(chunk, previous, ...)
	setfenv(chunk, previous)
	return ...
end

local function find(env, name)
	local preload = env.package.preload
	if type(preload) == 'table' and preload[name] then
		return preload[name]
	end
	local create = lib.libraries[name]
	if create then
		return function()
			return create(env)
		end
	end
	return lib.load_module(name, env)
end

local function require_module(env, loaded, name)
	local known = loaded[name]
	if known == LOADING then
		error("loop or previous error loading module '" .. name .. "'", 3)
	elseif known then
		return known
	end
	local loader = find(env, name)
	if not loader then
		-- The location is that in Scribunto, which code may look for in error messages.
		error("package.lua:80: module '" .. name .. "' not found", 0)
	end
	loaded[name] = LOADING
	local result = loader(name)
	if result ~= nil then
		loaded[name] = result
	elseif loaded[name] == LOADING then
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
		return require_module(env, loaded, tostring(name))
	end
end

-- The message of a syntax error already contains the location.
function lib.find_module(name)
	local ok, chunk = lib.finish_call(lib.module_function(name))
	if not ok then
		error(chunk, 0)
	end
	return chunk
end
