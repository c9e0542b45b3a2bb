-- A table of numbers from a list, with shares, ranks and a sum.
local p = {}

function p.figures(frame)
	local language, rows, sum = mw.getContentLanguage(), {}, 0
	for line in (frame.args[1] or ''):gmatch('[^;]+') do
		local name, number = line:match('^%s*(.-)%s*=%s*(%d+)%s*$')
		if name then
			rows[#rows + 1] = { name = name, number = tonumber(number) }
			sum = sum + tonumber(number)
		end
	end
	table.sort(rows, function(a, b)
		return a.number > b.number or (a.number == b.number and a.name < b.name)
	end)
	local out = { '{| class="wikitable sortable"\n! Rank !! Place !! Number !! Share' }
	for rank, row in ipairs(rows) do
		local bar = ('█'):rep(math.ceil(row.number / sum * 20))
		out[#out + 1] = ('|-\n| %d || [[%s]] || %s || %.1f&nbsp;%% %s'):format(
			rank, row.name, language:formatNum(row.number), row.number / sum * 100, bar)
	end
	out[#out + 1] = '|-\n! !! Sum !! ' .. language:formatNum(sum) .. ' !!'
	out[#out + 1] = '|}'
	return frame:preprocess(table.concat(out, '\n'))
end

return p
