-- The arguments of a template and of the #invoke in it, trimmed, without empty ones.
local p = {}

local function add(out, args)
	for key, value in pairs(args) do
		if type(value) == 'string' then
			value = mw.text.trim(value)
			if value ~= '' then
				out[key] = value
			end
		end
	end
end

function p.get(frame)
	local out, parent = {}, frame:getParent()
	if parent then
		add(out, parent.args)
	end
	add(out, frame.args)
	return out
end

return p
