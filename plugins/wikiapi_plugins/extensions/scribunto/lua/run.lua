-- Runs an #invoke, and returns the result or the error.
local lib = ...
local native = lib.native
local xpcall, type, getinfo = native.xpcall, type, native.debug.getinfo
local error, ipairs, select, setmetatable, unpack = error, ipairs, select, setmetatable, unpack
local tostring = lib.globals.tostring

local MAX_DEPTH = 50 -- calls in a backtrace

-- What calls a module is named as in Scribunto, whose errors have the same identifiers then.
local LOADED, EXECUTED = 'mw.lua:496', 'mw.lua:527'
local CALLED_BY = {
	'?', '(tail call)', '?', '[C]', 'in function "xpcall"',
	'MWServer.lua:99', 'in function "handleCall"', 'MWServer.lua:313', 'in function "dispatch"',
	'MWServer.lua:52', 'in function "execute"', 'mw_main.lua:7', 'in main chunk', '[C]', '?',
}
local caller = EXECUTED

local function described(info)
	if info.name and info.name ~= '' then
		return 'in function "' .. info.name .. '"'
	end
	return info.what == 'main' and 'in main chunk' or '?'
end

local function located(info)
	if info.short_src == 'sandbox.lua' then
		return 'MWServer.lua:81'
	end
	return info.currentline > 0 and info.short_src .. ':' .. info.currentline or info.short_src
end

-- A line for the location of each call and one for its function, innermost call first.
local function backtrace(level)
	local lines = {}
	for depth = level, level + MAX_DEPTH do
		local info = getinfo(depth, 'Slnf')
		if not info then
			break
		elseif info.short_src == 'run.lua' then
			lines[#lines + 1] = caller
			for _, line in ipairs(CALLED_BY) do
				lines[#lines + 1] = line
			end
			break
		elseif lib.loaders[info.func] then
			-- The module in the line before counts as called by the same name.
			lines[#lines] = described(info)
		elseif info.short_src ~= 'sandbox.lua' or info.name ~= 'fail' then
			lines[#lines + 1] = located(info)
			lines[#lines + 1] = described(info)
		end
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
	caller = LOADED
	local chunk = lib.load_module(module, lib.new_env())
	local exports = chunk()
	caller = EXECUTED
	if type(exports) ~= 'table' then
		raise_message('scribunto-lua-notarrayreturn', type(exports))
	end
	chunk = exports[name]
	if chunk == nil then
		raise_message('scribunto-common-nosuchfunction', name)
	elseif type(chunk) ~= 'function' then
		raise_message('scribunto-common-notafunction', name)
	end
	local text = joined(chunk(lib.frame))
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
	local outer, outer_caller = lib.frame, caller
	local parent = lib.new_frame(parent_id, parent_title, nil, lib.read_arguments(parent_list))
	lib.frame = lib.new_frame(id, title, parent, lib.read_arguments(list))
	local ok, text, trace, key, detail = lib.protected_call(call_export, module, name)
	lib.frame, caller = outer, outer_caller
	if ok then
		return true, text
	end
	return false, text, trace, key, detail
end

-- Called when the facts about the page have been set.
function lib.ready()
	lib.current_title = lib.title
end
