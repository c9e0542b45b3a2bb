-- require() and package, which load modules of the wiki and the bundled libraries.
--
-- The lines that raise errors or call modules are numbered as in Scribunto: the messages of errors
-- contain them, code may look for them there, and the identifier of an error is made from them.
local lib = ...
local native = lib.native
local error, type, setfenv, setmetatable = error, type, native.setfenv, setmetatable
local LOADING = {}

-- The functions that load_module returns; backtraces leave them out.
lib.loaders = setmetatable({}, { __mode = 'k' })

-- The message of a syntax error already contains the location.
function lib.find_module(name)
	local ok, chunk = lib.finish_call(lib.module_function(name))
	if not ok then
		error(chunk, 0)
	end
	return chunk
end

-- The loader of a module in an environment, or nil if the module does not exist.
function lib.load_module(name, env)
	local chunk = lib.find_module(name)
	if not chunk then
		return nil
	end
	local function loader(...)
		local previous = native.getfenv(chunk)
		setfenv(chunk, env)
		return lib.restore_environment(chunk, previous, chunk(...))
	end
	lib.loaders[loader] = true
	return loader
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

local function result_of(loaded, name, result)
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
	lib.add_require(env, loaded)
end

-- These raise errors, and call what they load, on the lines that the comment at the top is
-- about.
local function load(env, name)
	local loader = find(env, name)
	if not loader then
		error("module '" .. name .. "' not found")
	end
	return loader
end

function lib.add_require(env, loaded)
	function env.require(name)
		local kind = type(name)
		if kind ~= 'string' then
			local problem = "bad argument #1 to 'require' (string expected, got "
			error(problem .. kind .. ')')
		end
		local known = loaded[name]
		if known == LOADING then
			error("loop or previous error loading module '" .. name .. "'", 2)
		elseif known then
			return known
		end

		local init = load(env, name)
		loaded[name] = LOADING

		-- What fails in the module is reported as called from here.
		local result = init(name)
		return result_of(loaded, name, result)
	end
end
