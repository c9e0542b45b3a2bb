-- A line with links to other pages, which need not exist.
local p = {}

function p.main(frame)
	local links = {}
	for _, name in ipairs(frame:getParent().args) do
		local title = mw.title.new(name)
		if title then
			links[#links + 1] = ('[[:%s|%s]]'):format(title.prefixedText, title.text)
			if title.namespace == 0 and not title.exists then
				links[#links + 1] = '[[Category:Pages that lead to missing ones]]'
			end
		end
	end
	return '<div class="hatnote" role="note">Main: ' .. mw.text.listToText(links) .. '</div>'
end

return p
