-- mw.loadData and mw.loadJsonData: data that all #invokes of a page share and none can change.
local lib = ...
local mw, call = lib.mw, lib.call
local type, next, error, getmetatable, setmetatable = type, next, error, getmetatable, setmetatable

local function read_only()
	error('table from mw.loadData is read-only', 3)
end

-- A read-only view of a table, and of what it holds once that is asked for. The functions know what
-- they show without being told: mw.clone() gives their metatable to tables that are empty.
local function view_of(origin, views)
	local view = {}
	views[origin] = view
	return setmetatable(view, {
		mw_loadData = true,
		__newindex = read_only,
		__index = function(_, key)
			local value = origin[key]
			if type(value) == 'table' then
				return views[value] or view_of(value, views)
			end
			return value
		end,
		__pairs = function()
			return function(_, key)
				local following, value = next(origin, key)
				if type(value) == 'table' then
					return following, views[value] or view_of(value, views)
				end
				return following, value
			end, view, nil
		end,
		__ipairs = function()
			return function(_, index)
				index = index + 1
				local value = origin[index]
				if type(value) == 'table' then
					return index, views[value] or view_of(value, views)
				elseif value ~= nil then
					return index, value
				end
			end, view, 0
		end,
	})
end

local function wrapped(data)
	return view_of(data, {})
end

local function check(data, seen, name)
	if getmetatable(data) ~= nil then
		error(name .. ": loaded data must not have metatables", 0)
	end
	seen[data] = true
	for key, value in next, data do
		local kind = type(key)
		if kind ~= 'string' and kind ~= 'number' and kind ~= 'boolean' then
			error(name .. ": loaded data must not have keys of type '" .. kind .. "'", 0)
		end
		kind = type(value)
		if kind == 'table' then
			if not seen[value] then
				check(value, seen, name)
			end
		elseif kind ~= 'string' and kind ~= 'number' and kind ~= 'boolean' then
			error(name .. ": loaded data must not have values of type '" .. kind .. "'", 0)
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
