return function(value, default)
	value = type(value) == 'string' and mw.ustring.lower(value) or value
	if value == nil or value == '' then
		return default
	elseif value == true or value == 'yes' or value == 'y' or value == 'true' or tonumber(value) == 1 then
		return true
	elseif value == false or value == 'no' or value == 'n' or value == 'false' or tonumber(value) == 0 then
		return false
	end
	return default
end
