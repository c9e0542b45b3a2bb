-- Runs the code of a console, beside a module.
local lib = ...
local native = lib.native
local setfenv = native.setfenv
local tostring = lib.globals.tostring

local function shown(...)
	if native.select('#', ...) == 0 then
		return ''
	end
	return tostring((...))
end

-- The module's value is `p`; what earlier questions printed is forgotten when the last one begins.
local function perform(module, questions)
	local env = lib.new_env()
	env.print = env.mw.log
	setfenv(module, env)
	env.p = module()
	setfenv(questions, env)
	return shown(questions(lib.take_log))
end

-- Returns true, the text and what was printed, or what a failed lib.invoke does.
function lib.console(title, id, module, questions)
	lib.lower()
	local outer = lib.frame
	lib.frame = lib.new_frame(id, title, nil, {}, {}, {})
	local ok, text, trace, key, detail = lib.protected(perform, module, questions)
	lib.frame = outer
	local printed = lib.take_log()
	if ok then
		return true, text, printed and printed .. '\n' or ''
	end
	return false, text, trace, key, detail
end
