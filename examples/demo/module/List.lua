-- Joins its arguments; used as {{#invoke:List|join|a|b|sep=; }}.
local p = {}

function p.join(frame)
	local items = {}
	for _, value in ipairs(frame.args) do
		local item = mw.text.trim(value)
		if item ~= "" then
			items[#items + 1] = item
		end
	end
	return table.concat(items, frame.args.sep or ", ")
end

return p
