-- A place on the globe, in degrees, minutes and seconds or in decimals.
local p = {}

local function decimal(args, first)
	local degrees, minutes, seconds = tonumber(args[first]), tonumber(args[first + 1]), tonumber(args[first + 2])
	local side = args[first + 3] or 'N'
	local value = (degrees or 0) + (minutes or 0) / 60 + (seconds or 0) / 3600
	return (side == 'S' or side == 'W') and -value or value
end

local function shown(value, positive, negative)
	local side = value < 0 and negative or positive
	value = math.abs(value)
	local degrees = math.floor(value)
	local minutes = math.floor((value - degrees) * 60)
	local seconds = math.floor(((value - degrees) * 60 - minutes) * 60 + 0.5)
	return ('%d°%02d′%02d″%s'):format(degrees, minutes, seconds, side)
end

function p.coord(frame)
	local args = frame:getParent().args
	local latitude, longitude = decimal(args, 1), decimal(args, 5)
	if math.abs(latitude) > 90 or math.abs(longitude) > 180 then
		return '<span class="error">no such place</span>[[Category:Pages with wrong coordinates]]'
	end
	local params = table.concat({ ('%.5f'):format(latitude), ('%.5f'):format(longitude), args.type or '' }, '_')
	local url = ('https://maps.example/?pagename=%s&params=%s')
		:format(mw.uri.encode(mw.title.getCurrentTitle().prefixedText, 'WIKI'), mw.uri.encode(params))
	local span = mw.html.create('span'):addClass('geo'):attr('title', params)
	span:wikitext(('[%s %s %s]'):format(url, shown(latitude, 'N', 'S'), shown(longitude, 'E', 'W')))
	return tostring(span)
end

return p
