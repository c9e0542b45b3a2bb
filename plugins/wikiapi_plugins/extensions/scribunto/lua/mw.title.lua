-- mw.title: titles, and the data of their pages.
local lib = ...
local mw, util, call = lib.mw, lib.util, lib.call
local type, error, tostring, setmetatable = type, error, lib.globals.tostring, setmetatable
local rawset, next, select = rawset, next, select
local title = {}
mw.title = title

local facts = setmetatable({}, { __mode = 'k' }) -- title object -> its fields, from the server
local meta, methods, computed = {}, {}, {}
local created = {} -- text and namespace -> fields, or false if not valid

local FIELDS = {
	namespace = true, interwiki = true, fragment = true, nsText = true, subjectNsText = true,
	text = true, prefixedText = true, fullText = true, rootText = true, baseText = true,
	subpageText = true, canTalk = true, isContentPage = true, isExternal = true, isLocal = true,
	isSpecialPage = true, isSubpage = true, isTalkPage = true, talkNsText = true,
}
-- Fields from the page table, fetched together.
local PAGE_FIELDS = { exists = true, id = true, isRedirect = true, contentModel = true, pageLang = true }

local function new(fields)
	local object = setmetatable({}, meta)
	facts[object] = fields
	return object
end

local function new_or_nil(fields)
	return fields and new(fields) or nil
end

local function key_of(fields)
	return fields.fullText
end

function title.equals(a, b)
	return facts[a].interwiki == facts[b].interwiki and facts[a].namespace == facts[b].namespace
		and facts[a].text == facts[b].text
end

function title.compare(a, b)
	local x, y = facts[a], facts[b]
	if x.interwiki ~= y.interwiki then
		return x.interwiki < y.interwiki and -1 or 1
	elseif x.namespace ~= y.namespace then
		return x.namespace < y.namespace and -1 or 1
	elseif x.text ~= y.text then
		return x.text < y.text and -1 or 1
	end
	return 0
end

meta.__eq = title.equals

function meta.__lt(a, b)
	return title.compare(a, b) < 0
end

function meta.__le(a, b)
	return title.compare(a, b) <= 0
end

function meta.__tostring(self)
	return facts[self].prefixedText
end

function meta.__concat(a, b)
	return tostring(a) .. tostring(b)
end

local function check(self, method)
	local fields = facts[self]
	if not fields then
		error(('title:%s needs a title: call it with a colon'):format(method), 3)
	end
	return fields
end

-- Fields from the page table. The server counts the lookup as expensive.
local function page_facts(fields)
	if not fields.page then
		fields.page = call('title.page', key_of(fields))
	end
	return fields.page
end

function computed.rootPageTitle(fields)
	return title.makeTitle(fields.namespace, fields.rootText)
end

function computed.basePageTitle(fields)
	return title.makeTitle(fields.namespace, fields.baseText)
end

function computed.talkPageTitle(fields)
	return new_or_nil(call('title.talk', key_of(fields)))
end

function computed.subjectPageTitle(fields)
	return new_or_nil(call('title.subject', key_of(fields)))
end

function computed.redirectTarget(fields)
	if fields.redirectTarget == nil then
		fields.redirectTarget = call('title.redirect', key_of(fields)) or false
	end
	return new_or_nil(fields.redirectTarget)
end

function computed.protectionLevels(fields)
	if not fields.protection then
		fields.protection = call('title.protection', key_of(fields))
	end
	return fields.protection
end

function computed.cascadingProtection(fields)
	if not fields.cascading then
		fields.cascading = call('title.cascading', key_of(fields))
	end
	return fields.cascading
end

function computed.categories(fields)
	if not fields.categories then
		fields.categories = call('title.categories', key_of(fields))
	end
	return fields.categories
end

function computed.content(fields)
	if fields.content == nil then
		fields.content = call('title.content', key_of(fields)) or false
	end
	return fields.content or nil
end

function computed.isDisambiguationPage(fields)
	if fields.disambiguation == nil then
		fields.disambiguation = call('title.disambiguation', key_of(fields))
	end
	return fields.disambiguation
end

local function file_of(fields)
	if fields.file == nil then
		fields.file = call('title.file', key_of(fields)) or false
	end
	return fields.file
end

function computed.file(fields)
	return file_of(fields) or nil
end

function computed.fileExists(fields)
	local file = file_of(fields)
	return file and file.exists or false
end

function meta.__index(self, key)
	local fields = facts[self]
	if FIELDS[key] then
		return fields[key]
	elseif PAGE_FIELDS[key] then
		return page_facts(fields)[key]
	elseif methods[key] then
		return methods[key]
	elseif computed[key] then
		return computed[key](fields)
	end
	return nil
end

function meta.__newindex(self, key, value)
	if key == 'fragment' then
		local fields = {}
		for each, known in next, facts[self] do
			fields[each] = known
		end
		fields.fragment = value == nil and '' or tostring(value)
		fields.fullText = fields.prefixedText .. (fields.fragment ~= '' and '#' .. fields.fragment or '')
		facts[self] = fields
		return
	end
	if FIELDS[key] or PAGE_FIELDS[key] or methods[key] or computed[key] then
		error("the field '" .. tostring(key) .. "' of a title cannot be set", 2)
	end
	rawset(self, key, value)
end

function meta.__pairs(self)
	local names, index = {}, 0
	for name in next, FIELDS do
		names[#names + 1] = name
	end
	return function()
		index = index + 1
		if names[index] then
			return names[index], facts[self][names[index]]
		end
	end, self, nil
end

local function namespace_number(namespace, method)
	if type(namespace) == 'number' then
		return namespace
	end
	local found = lib.namespace_of(namespace)
	if not found then
		error(method .. ": there is no namespace '" .. tostring(namespace) .. "'", 3)
	end
	return found.id
end

function methods:isSubpageOf(other)
	local fields, outer = check(self, 'isSubpageOf'), facts[other]
	if not outer then
		util.checkType('isSubpageOf', 1, other, 'title object')
	end
	return fields.interwiki == outer.interwiki and fields.namespace == outer.namespace
		and fields.text:sub(1, #outer.text + 1) == outer.text .. '/'
end

function methods:inNamespace(namespace)
	return check(self, 'inNamespace').namespace == namespace_number(namespace, 'title:inNamespace')
end

function methods:inNamespaces(...)
	local fields = check(self, 'inNamespaces')
	for index = 1, select('#', ...) do
		if fields.namespace == namespace_number((select(index, ...)), 'title:inNamespaces') then
			return true
		end
	end
	return false
end

function methods:hasSubjectNamespace(namespace)
	local own = check(self, 'hasSubjectNamespace').namespace
	local subject = own > 0 and own - own % 2 or own
	return subject == namespace_number(namespace, 'title:hasSubjectNamespace')
end

function methods:subPageTitle(text)
	local fields = check(self, 'subPageTitle')
	return title.makeTitle(fields.namespace, fields.text .. '/' .. util.checkText('subPageTitle', 1, text))
end

function methods:partialUrl()
	return call('title.partialUrl', key_of(check(self, 'partialUrl')))
end

local function query_text(query)
	if type(query) == 'table' then
		return mw.uri.buildQueryString(query)
	end
	return query == nil and '' or tostring(query)
end

local function url(which)
	return function(self, query, protocol)
		return call('title.url', key_of(check(self, which)), which, query_text(query), protocol or false)
	end
end

methods.fullUrl = url('fullUrl')
methods.localUrl = url('localUrl')
methods.canonicalUrl = url('canonicalUrl')

function methods:getContent()
	return computed.content(check(self, 'getContent'))
end

function title.new(text, namespace)
	util.checkTypeMulti('title.new', 1, text, { 'string', 'number' })
	if type(text) == 'number' then
		return new_or_nil(call('title.byId', text))
	end
	if namespace ~= nil then
		util.checkTypeMulti('title.new', 2, namespace, { 'string', 'number' })
		namespace = namespace_number(namespace, 'mw.title.new')
	end
	local key = text .. '\n' .. tostring(namespace or 0)
	if created[key] == nil then
		created[key] = call('title.new', text, namespace or 0) or false
	end
	return new_or_nil(created[key])
end

function title.makeTitle(namespace, text, fragment, interwiki)
	util.checkTypeMulti('makeTitle', 1, namespace, { 'string', 'number' })
	util.checkType('makeTitle', 2, text, 'string')
	util.checkType('makeTitle', 3, fragment, 'string', true)
	util.checkType('makeTitle', 4, interwiki, 'string', true)
	namespace = namespace_number(namespace, 'mw.title.makeTitle')
	return new_or_nil(call('title.make', namespace, text, fragment or '', interwiki or ''))
end

function title.getCurrentTitle()
	return new(lib.current_title)
end

-- Batches, with which the pages of several titles are looked up in one host call.
local Batch = {}
Batch.__index = Batch

function Batch:lookupExistence()
	local names = {}
	for _, each in ipairs(self.titles) do
		names[#names + 1] = facts[each].fullText
	end
	local found = call('title.pages', unpack(names))
	for index, each in ipairs(self.titles) do
		facts[each].page = facts[each].page or found[index]
	end
	return self
end

function Batch:getTitles()
	return self.titles
end

function title.newBatch(list, namespace)
	util.checkType('newBatch', 1, list, 'table')
	local titles = {}
	for _, each in ipairs(list) do
		local one = type(each) == 'table' and facts[each] and each or title.new(each, namespace)
		if one then
			titles[#titles + 1] = one
		end
	end
	return setmetatable({ titles = titles }, Batch)
end
