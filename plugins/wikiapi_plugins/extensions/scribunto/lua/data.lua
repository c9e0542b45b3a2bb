-- mw.loadData and mw.loadJsonData: read-only data that is shared by all #invokes of a page.
local lib = ...
local mw, call = lib.mw, lib.call
local type, next, error, select, rawget = type, next, error, select, rawget
local getmetatable, setmetatable = getmetatable, setmetatable

local function read_only()
	error('table from mw.loadData is read-only', 3)
end

local SHARED = {} -- marks metatables that modules cannot access

-- A read-only view of a table. Views of the tables in it are created when they are read, and all share
-- one metatable, since modules read few of many small tables, and rarely their metatables.
local function read_only_view(data)
	local views, origins = {}, {}
	local meta = { [SHARED] = true, __newindex = read_only }
	local function view_of(origin)
		local view = setmetatable({}, meta)
		views[origin], origins[view] = view, origin
		return view
	end
	function meta.__index(view, key)
		local value = origins[view][key]
		if type(value) == 'table' then
			return views[value] or view_of(value)
		end
		return value
	end
	function meta.__pairs(view)
		local origin = origins[view]
		return function(_, key)
			local following, value = next(origin, key)
			if type(value) == 'table' then
				return following, views[value] or view_of(value)
			end
			return following, value
		end, view, nil
	end
	function meta.__ipairs(view)
		local origin = origins[view]
		return function(_, index)
			index = index + 1
			local value = origin[index]
			if type(value) == 'table' then
				return index, views[value] or view_of(value)
			elseif value ~= nil then
				return index, value
			end
		end, view, 0
	end
	return view_of(data)
end

-- Gives a view its own metatable, when a module reads it. The functions in it are bound to the view:
-- any table with this metatable, or with a copy of it, shows the same data.
local function own_metatable(view, shared)
	local meta = { mw_loadData = true, __newindex = read_only }
	function meta.__index(_, key)
		return shared.__index(view, key)
	end
	function meta.__pairs()
		return shared.__pairs(view)
	end
	function meta.__ipairs()
		return shared.__ipairs(view)
	end
	setmetatable(view, meta)
	return meta
end

function lib.globals.getmetatable(...)
	if select('#', ...) == 0 then
		error("bad argument #1 to 'getmetatable' (value expected)", 2)
	end
	local value = ...
	local meta = getmetatable(value)
	if type(meta) == 'table' and rawget(meta, SHARED) then
		return own_metatable(value, meta)
	end
	return meta
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

local function load_data(name)
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
		cache[name] = load_data(name)
	end
	return read_only_view(cache[name])
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
	return read_only_view(json[name])
end
