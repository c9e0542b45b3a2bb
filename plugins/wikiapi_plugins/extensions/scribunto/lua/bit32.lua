-- require('bit32') as in Lua 5.2, and require('bit'), whose functions have other names.
local lib = ...
local floor = math.floor
local MODULUS = 4294967296
local error, select, type, tonumber = error, select, type, tonumber
local bit32 = {}

local function integer(name, index, value)
	local number = tonumber(value)
	if not number then
		local text = "bad argument #%d to '%s' (number expected, got %s)"
		error(text:format(index, name, type(value)), 3)
	end
	if number ~= number or number == math.huge or number == -math.huge then
		return 0
	end
	return floor(number) % MODULUS
end

-- Combines the bits of two numbers; the result for bits a and b is truth[2 * a + b].
local function combined(a, b, truth)
	local result, place = 0, 1
	for _ = 1, 32 do
		local x, y = a % 2, b % 2
		result = result + truth[2 * x + y] * place
		a, b, place = (a - x) / 2, (b - y) / 2, place * 2
	end
	return result
end

local AND = { [0] = 0, 0, 0, 1 }
local OR = { [0] = 0, 1, 1, 1 }
local XOR = { [0] = 0, 1, 1, 0 }

local function fold(name, start, truth)
	return function(...)
		local result = start
		for index = 1, select('#', ...) do
			result = combined(result, integer(name, index, (select(index, ...))), truth)
		end
		return result
	end
end

bit32.band = fold('band', MODULUS - 1, AND)
bit32.bor = fold('bor', 0, OR)
bit32.bxor = fold('bxor', 0, XOR)

function bit32.bnot(x)
	return MODULUS - 1 - integer('bnot', 1, x)
end

function bit32.btest(...)
	return bit32.band(...) ~= 0
end

local function shifted(x, by)
	if by <= -32 or by >= 32 then
		return 0
	elseif by >= 0 then
		return x * 2 ^ by % MODULUS
	end
	return floor(x / 2 ^ -by)
end

local function distance(name, by)
	local number = tonumber(by)
	if not number then
		error(("bad argument #2 to '%s' (number expected, got %s)"):format(name, type(by)), 3)
	end
	return number < 0 and -floor(-number) or floor(number)
end

function bit32.lshift(x, by)
	return shifted(integer('lshift', 1, x), distance('lshift', by))
end

function bit32.rshift(x, by)
	return shifted(integer('rshift', 1, x), -distance('rshift', by))
end

function bit32.arshift(x, by)
	x, by = integer('arshift', 1, x), distance('arshift', by)
	if by < 0 or x < MODULUS / 2 then
		return shifted(x, -by)
	elseif by >= 32 then
		return MODULUS - 1
	end
	return shifted(x, -by) + (MODULUS - 2 ^ (32 - by))
end

local function rotated(x, by)
	by = by % 32
	return (x * 2 ^ by % MODULUS) + floor(x / 2 ^ (32 - by))
end

function bit32.lrotate(x, by)
	return rotated(integer('lrotate', 1, x), distance('lrotate', by))
end

function bit32.rrotate(x, by)
	return rotated(integer('rrotate', 1, x), -distance('rrotate', by))
end

local function field(name, position, width)
	width = width or 1
	if position < 0 then
		error(("bad argument #2 to '%s' (field cannot be negative)"):format(name), 3)
	elseif width <= 0 then
		error(("bad argument #3 to '%s' (width must be positive)"):format(name), 3)
	elseif position + width > 32 then
		error('trying to access non-existent bits', 3)
	end
	return 2 ^ position, 2 ^ width
end

function bit32.extract(x, position, width)
	local offset, size = field('extract', position, width)
	return floor(integer('extract', 1, x) / offset) % size
end

function bit32.replace(x, value, position, width)
	x, value = integer('replace', 1, x), integer('replace', 2, value)
	local offset, size = field('replace', position, width)
	local old = floor(x / offset) % size
	return x + (value % size - old) * offset
end

local function signed(x)
	return x >= MODULUS / 2 and x - MODULUS or x
end

-- In this library, the results of tobit are signed.
local function bit_library()
	local out = { tobit = function(x) return signed(integer('tobit', 1, x)) end }
	local names = {
		bnot = 'bnot', band = 'band', bor = 'bor', bxor = 'bxor',
		lshift = 'lshift', rshift = 'rshift', arshift = 'arshift',
		rol = 'lrotate', ror = 'rrotate',
		blshift = 'lshift', brshift = 'rshift', blogic_rshift = 'rshift',
	}
	for name, same in pairs(names) do
		local call = bit32[same]
		out[name] = function(...)
			return call(...)
		end
	end
	function out.tohex(x, digits)
		return ('%0' .. (digits or 8) .. 'x'):format(integer('tohex', 1, x))
	end
	function out.bswap(x)
		x = integer('bswap', 1, x)
		local a, b, c = x % 256, floor(x / 256) % 256, floor(x / 65536) % 256
		return a * 16777216 + b * 65536 + c * 256 + floor(x / 16777216)
	end
	return out
end

lib.libraries.bit32 = function()
	local out = {}
	for key, value in pairs(bit32) do
		out[key] = value
	end
	return out
end
lib.libraries.bit = bit_library
lib.libraries['luabit.bit'] = bit_library
lib.libraries['luabit.hex'] = function()
	return {
		to_hex = function(x) return ('0x%X'):format(integer('to_hex', 1, x)) end,
		to_dec = function(text) return tonumber((text:gsub('^0[xX]', '')), 16) end,
	}
end
