-- Runs one #invoke and tells how it ended.
local lib = ...
local native = lib.native
local xpcall, type, getinfo = native.xpcall, type, native.debug.getinfo
local error, select, setmetatable, unpack = error, select, setmetatable, unpack
local tostring = lib.globals.tostring

local DEPTH = 50 -- lines of a backtrace at most

local function backtrace(level)
	local lines = {}
	for depth = level, level + DEPTH do
		local info = getinfo(depth, 'Sln')
		if not info then
			break
		end
		local place = info.short_src
		if info.currentline > 0 then
			place = place .. ':' .. info.currentline
		end
		local what = info.name and 'in function "' .. info.name .. '"'
			or info.what == 'main' and 'in main chunk' or '?'
		lines[#lines + 1] = place .. '\n' .. what
	end
	return table.concat(lines, '\n')
end

local function failed(problem)
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

local Refusal = {}

-- Not an error of the module's code, but one that MediaWiki has a message for.
local function refuse(key, detail)
	error(setmetatable({ key = key, detail = detail }, Refusal), 0)
end

local function perform(module, name)
	local run = lib.load_module(module, lib.new_env())
	local exports = run()
	if type(exports) ~= 'table' then
		refuse('scribunto-lua-notarrayreturn', type(exports))
	end
	local exported = exports[name]
	if exported == nil then
		refuse('scribunto-common-nosuchfunction', name)
	elseif type(exported) ~= 'function' then
		refuse('scribunto-common-notafunction', name)
	end
	local text = joined(exported(lib.frame))
	if #text > lib.longest then
		error('text too long', 0)
	end
	return text
end

local function handler(problem)
	if type(problem) == 'table' and native.getmetatable(problem) == Refusal then
		return problem
	end
	return failed(problem)
end

-- Returns true and what the function does, or false and: the message, its backtrace, or a message
-- key and what that is about.
function lib.protected(run, ...)
	local given, count = { ... }, select('#', ...)
	local ok, result = xpcall(function()
		return run(unpack(given, 1, count))
	end, handler)
	if ok then
		return true, result
	elseif type(result) == 'table' then
		return false, result.problem, result.trace, result.key, result.detail
	end
	return false, result
end

function lib.invoke(module, name, title, id, list, parent_title, parent_id, parent_list)
	lib.lower()
	local outer = lib.frame
	local parent = lib.new_frame(parent_id, parent_title, nil, lib.read_arguments(parent_list))
	lib.frame = lib.new_frame(id, title, parent, lib.read_arguments(list))
	local ok, text, trace, key, detail = lib.protected(perform, module, name)
	lib.frame = outer
	if ok then
		return true, text
	end
	return false, text, trace, key, detail
end

-- The page is known: what depends on it is filled in.
function lib.ready()
	lib.current_title = lib.title
end
