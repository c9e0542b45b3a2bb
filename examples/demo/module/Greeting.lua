-- Greets the reader; used as {{#invoke:Greeting|hello|name}}.
local words = require("Module:Greeting/words")

local p = {}

function p.hello(frame)
	local name = frame.args[1] or "stranger"
	local lang = frame.args.lang or "en"
	return (words[lang] or words.en) .. ", " .. name .. "!"
end

return p
