local p = {}
function p.none() return '' end
function p.echo(f) return f.args[1] end
function p.rep() return ('x'):rep(100000) end
function p.table() local t = {} for i = 1, 100000 do t[i] = {i} end return #t end
function p.preprocess(f) return f:preprocess(('{{Echo|' .. (f.args.n or f.args[1] or '') .. '}}'):rep(50)) end
function p.loop() local n = 0 for i = 1, 1000000 do n = n + i end return n end
function p.content(f) return #(mw.title.new(f.args[1]):getContent() or '') end
function p.titles(f) local n = 0 for i = 1, 50 do if mw.title.new('Many ' .. i + f.args[1]).exists then n = n + 1 end end return n end
function p.html() local h = mw.html.create('table') for i = 1, 500 do h:tag('tr'):tag('td'):wikitext(i):css('color', 'red') end return tostring(h) end
function p.ustring() return mw.ustring.len(mw.ustring.gsub(('é'):rep(5000), '[^x]', 'ab')) end
function p.pattern() return tostring(string.find(('a'):rep(2000), '.-.-b')) end
function p.expand(f) return f:expandTemplate{title = 'Wide', args = {f.args[1]}} end
function p.dates(f) local l = mw.language.new('fr') local r = '' for i = 1, 50 do r = r .. l:formatDate('j F Y', '2020-01-0' .. (i % 9 + 1)) end return r end
function p.json() return #mw.text.jsonEncode(mw.text.jsonDecode('[' .. ('[1],'):rep(5000) .. '2]')) end
function p.tags(f) local r = '' for i = 1, 20 do r = r .. f:extensionTag('ref', 'x' .. i .. f.args[1]) end return r end
function p.error() error('x') end
function p.args(f) local n = '' for k, v in pairs(f:getParent().args) do n = n .. k .. v end for k, v in pairs(f.args) do n = n .. k .. v end return n end
function p.warn() for i = 1, 50 do mw.addWarning('w' .. i) end return '' end
function p.data() return mw.loadData('Module:Data').a[1] end
function p.split() return #mw.text.split(('a,'):rep(20000), ',') end
function p.children(f) local r = '' for i = 1, 30 do r = r .. f:newChild{title = 'C', args = {i}}:preprocess('{{{1}}}{{Echo|{{{1}}}}}') end return r end
function p.nowiki() return mw.text.nowiki(('[[{{'):rep(20000)) end
function p.svg() return mw.text.tag('span', {title = ('x'):rep(10000)}, 'y') end
return p
