-- mw.site: the wiki, its namespaces and statistics.
local lib = ...
local mw, util, call = lib.mw, lib.util, lib.call
local type, error, tostring, setmetatable = type, error, tostring, setmetatable
local site = {}
mw.site = site

local by_name, by_id = {}, {}

function lib.namespace_of(name)
	if type(name) == 'number' then
		return by_id[name]
	end
	name = tostring(name):gsub('_', ' '):gsub('^ +', ''):gsub(' +$', '')
	return by_id[tonumber(name)] or by_name[mw.ustring.lower(name)]
end

local find_by_name = {
	__index = function(_, name)
		return type(name) == 'string' and lib.namespace_of(name) or nil
	end,
}

-- Related namespaces are looked up when they are read, so that a dump of one does not contain all.
local relations = {
	__index = function(self, key)
		if key == 'talk' then
			return by_id[self.talkId]
		elseif key == 'subject' then
			return by_id[self.subjectId]
		elseif key == 'associated' then
			return by_id[self.associatedId]
		end
	end,
}

local function fill(facts)
	for key, value in pairs(facts.general) do
		site[key] = value
	end
	for _, scheme in ipairs(facts.urlSchemes) do
		lib.url_schemes[scheme] = true
	end
	local all, content, subject, talk = {}, {}, {}, {}
	for _, namespace in ipairs(facts.namespaces) do
		setmetatable(namespace, relations)
		by_id[namespace.id] = namespace
		all[namespace.id] = namespace
		if namespace.isContent then
			content[namespace.id] = namespace
		end
		(namespace.isTalk and talk or subject)[namespace.id] = namespace
		for _, name in ipairs(namespace.names) do
			by_name[mw.ustring.lower(name)] = namespace
		end
		namespace.names = nil
	end
	site.namespaces = lib.share(setmetatable(all, find_by_name))
	site.contentNamespaces = lib.share(setmetatable(content, find_by_name))
	site.subjectNamespaces = lib.share(setmetatable(subject, find_by_name))
	site.talkNamespaces = lib.share(setmetatable(talk, find_by_name))
end

local stats = {}
site.stats = setmetatable({}, {
	__index = function(t, key)
		if stats[key] ~= nil then
			return stats[key]
		end
		local counters = call('site.stats')
		for name, value in pairs(counters) do
			t[name] = value
		end
		return counters[key]
	end,
})
lib.share(site.stats)

function stats.pagesInCategory(category, which)
	category = util.checkText('pagesInCategory', 1, category)
	which = which or 'all'
	if which ~= '*' and which ~= 'all' and which ~= 'pages' and which ~= 'subcats' and which ~= 'files' then
		error("bad argument #2 to 'pagesInCategory' (one of '*', 'all', 'pages', 'subcats', or "
			.. "'files' expected, got '" .. tostring(which) .. "')", 2)
	end
	local counts = call('site.category', category)
	if which == '*' then
		return counts
	end
	return counts[which]
end

function stats.pagesInNamespace(namespace)
	util.checkType('pagesInNamespace', 1, namespace, 'number')
	return call('site.pagesInNamespace', namespace)
end

function stats.usersInGroup(group)
	util.checkType('usersInGroup', 1, group, 'string')
	return call('site.usersInGroup', group)
end

local interwikis = {}

function site.interwikiMap(which)
	util.checkType('interwikiMap', 1, which, 'string', true)
	if which and which ~= 'local' and which ~= '!local' then
		error("bad argument #1 to 'interwikiMap' (unknown filter '" .. which .. "')", 2)
	end
	which = which or ''
	if not interwikis[which] then
		interwikis[which] = call('site.interwikiMap', which)
	end
	return interwikis[which]
end

lib.fill_site = fill
