-- mw.loadData and mw.loadJsonData: data that all #invokes of a page share and none can change.
local lib = ...
local mw, call = lib.mw, lib.call
local type, next, error, getmetatable, setmetatable = type, next, error, getmetatable, setmetatable

local function read_only()
	error('table from mw.loadData is read-only', 3)
end

local function wrap(data, seen)
	local known = seen[data]
	if known then
		return known
	end
	local view, meta = {}, {}
	seen[data] = view
	local function shown(value)
		return type(value) == 'table' and wrap(value, seen) or value
	end
	meta.mw_loadData = true
	function meta.__index(_, key)
		return shown(data[key])
	end
	meta.__newindex = read_only
	function meta.__pairs()
		return function(_, key)
			local following, value = next(data, key)
			return following, shown(value)
		end, view, nil
	end
	function meta.__ipairs()
		return function(_, index)
			local value = data[index + 1]
			if value ~= nil then
				return index + 1, shown(value)
			end
		end, view, 0
	end
	return setmetatable(view, meta)
end

local function wrapped(data)
	return wrap(data, {})
end

local allowed_keys = { string = true, number = true, boolean = true }
local allowed_values = { string = true, number = true, boolean = true, table = true }

local function check(data, seen, name)
	if getmetatable(data) ~= nil then
		error(name .. ": loaded data must not have metatables", 0)
	end
	seen[data] = true
	for key, value in next, data do
		if not allowed_keys[type(key)] then
			error(name .. ": loaded data must not have keys of type '" .. type(key) .. "'", 0)
		elseif not allowed_values[type(value)] then
			error(name .. ": loaded data must not have values of type '" .. type(value) .. "'", 0)
		elseif type(value) == 'table' and not seen[value] then
			check(value, seen, name)
		end
	end
end

local cache, json = {}, {}

local function loaded(name)
	local run = lib.load_module(name, lib.new_env())
	if not run then
		error("package.lua:80: module '" .. name .. "' not found", 0)
	end
	local frame = lib.frame
	lib.frame = nil
	local data = run(name)
	lib.frame = frame
	if type(data) ~= 'table' then
		error(name .. ' returned ' .. type(data) .. ', table expected', 0)
	end
	check(data, {}, 'mw.loadData')
	return data
end

function mw.loadData(name)
	lib.util.checkType('loadData', 1, name, 'string')
	if not cache[name] then
		cache[name] = loaded(name)
	end
	return wrapped(cache[name])
end

function mw.loadJsonData(name)
	lib.util.checkType('loadJsonData', 1, name, 'string')
	if not json[name] then
		local data = lib.json_decode(call('json', name))
		if type(data) ~= 'table' then
			error(name .. ' does not hold an object or a list', 2)
		end
		json[name] = data
	end
	return wrapped(json[name])
end
