-- Runs the code of a console, with access to a module.
local lib = ...
local native = lib.native
local setfenv = native.setfenv
local tostring = lib.globals.tostring

local function first_as_text(...)
	if native.select('#', ...) == 0 then
		return ''
	end
	return tostring((...))
end

-- The value of the module is `p`. The code calls lib.take_log to discard the output of the earlier
-- questions before it evaluates the last one.
local function evaluate(module, questions)
	local env = lib.new_env()
	env.print = env.mw.log
	setfenv(module, env)
	env.p = module()
	setfenv(questions, env)
	return first_as_text(questions(lib.take_log))
end

-- Returns true, the value as text and the output; if the code fails, the same as lib.invoke.
function lib.console(title, id, module, questions)
	lib.restore_limit()
	local outer = lib.frame
	lib.frame = lib.new_frame(id, title, nil, {}, {}, {})
	local ok, text, trace, key, detail = lib.protected_call(evaluate, module, questions)
	lib.frame = outer
	local printed = lib.take_log()
	if ok then
		return true, text, printed and printed .. '\n' or ''
	end
	return false, text, trace, key, detail
end
