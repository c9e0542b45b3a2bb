-- Runs an #invoke, and returns the result or the error.
local lib = ...
local native = lib.native
local xpcall, type, getinfo = native.xpcall, type, native.debug.getinfo
local error, select, setmetatable, unpack = error, select, setmetatable, unpack
local tostring = lib.globals.tostring

local MAX_DEPTH = 50 -- calls in a backtrace

local function backtrace(level)
	local lines = {}
	for depth = level, level + MAX_DEPTH do
		local info = getinfo(depth, 'Sln')
		if not info then
			break
		end
		local location = info.short_src
		if info.currentline > 0 then
			location = location .. ':' .. info.currentline
		end
		local what = info.name and 'in function "' .. info.name .. '"'
			or info.what == 'main' and 'in main chunk' or '?'
		lines[#lines + 1] = location .. '\n' .. what
	end
	return table.concat(lines, '\n')
end

local function with_backtrace(problem)
	if type(problem) ~= 'string' and type(problem) ~= 'number' then
		problem = tostring(problem)
	end
	return { problem = problem, trace = backtrace(3) }
end

local function joined(...)
	local out = {}
	for index = 1, select('#', ...) do
		local value = select(index, ...)
		if value == nil then
			break
		end
		out[index] = tostring(value)
	end
	return table.concat(out)
end

local MessageError = {}

-- Raises an error for which MediaWiki has an interface message.
local function raise_message(key, detail)
	error(setmetatable({ key = key, detail = detail }, MessageError), 0)
end

local function call_export(module, name)
	local run = lib.load_module(module, lib.new_env())
	local exports = run()
	if type(exports) ~= 'table' then
		raise_message('scribunto-lua-notarrayreturn', type(exports))
	end
	local exported = exports[name]
	if exported == nil then
		raise_message('scribunto-common-nosuchfunction', name)
	elseif type(exported) ~= 'function' then
		raise_message('scribunto-common-notafunction', name)
	end
	local text = joined(exported(lib.frame))
	if #text > lib.max_text_size then
		error('text too long', 0)
	end
	return text
end

local function handler(problem)
	if type(problem) == 'table' and native.getmetatable(problem) == MessageError then
		return problem
	end
	return with_backtrace(problem)
end

-- Calls a function, and returns true and its result, or false and four values: for a Lua error, the
-- message and the backtrace; for an error with an interface message, two nils, its key and parameter.
function lib.protected_call(run, ...)
	local arguments, count = { ... }, select('#', ...)
	local ok, result = xpcall(function()
		return run(unpack(arguments, 1, count))
	end, handler)
	if ok then
		return true, result
	elseif type(result) == 'table' then
		return false, result.problem, result.trace, result.key, result.detail
	end
	return false, result
end

function lib.invoke(module, name, title, id, list, parent_title, parent_id, parent_list)
	lib.restore_limit()
	local outer = lib.frame
	local parent = lib.new_frame(parent_id, parent_title, nil, lib.read_arguments(parent_list))
	lib.frame = lib.new_frame(id, title, parent, lib.read_arguments(list))
	local ok, text, trace, key, detail = lib.protected_call(call_export, module, name)
	lib.frame = outer
	if ok then
		return true, text
	end
	return false, text, trace, key, detail
end

-- Called when the facts about the page have been set.
function lib.ready()
	lib.current_title = lib.title
end
