-- mw.hash: hash functions.
local lib = ...
local mw, util = lib.mw, lib.util
local hash = {}
mw.hash = hash

function hash.listAlgorithms()
	local out = {}
	for index, name in ipairs(lib.digest_names) do
		out[index] = name
	end
	return out
end

function hash.hashValue(algorithm, value)
	algorithm = util.checkText('hashValue', 1, algorithm)
	return lib.unwrap(2, lib.digest(algorithm, util.checkText('hashValue', 2, value)))
end
