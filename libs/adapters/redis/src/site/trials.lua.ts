/**
 * The last trial is a hash: `id`, `by`, `asked` (ms), and once it is taken `executor` and `until` (ms), once it has
 * ended `ended` (ms) and `findings`. Times are Redis' own.
 */
const now = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local function number(field) return tonumber(redis.call('HGET', KEYS[1], field) or '0') end
local function open(waits)
  return redis.call('HEXISTS', KEYS[1], 'id') == 1 and redis.call('HEXISTS', KEYS[1], 'ended') == 0 and number('asked') + waits > now
end
local function text(value) return string.format('%.0f', value) end
`;

/** The state of a trial. KEYS: trial. Returns the time and the hash. */
export const readScript = `${now}
return {text(now), redis.call('HGETALL', KEYS[1])}
`;

/** KEYS: trial. ARGV: id by waitsMs */
export const askScript = `${now}
if not open(ARGV[3]) then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'id', ARGV[1], 'by', ARGV[2], 'asked', text(now))
end
return {text(now), redis.call('HGETALL', KEYS[1])}
`;

/** KEYS: trial. ARGV: executor leaseMs waitsMs. Returns its id, or nothing. */
export const takeScript = `${now}
if not open(ARGV[3]) or number('until') > now then return false end
redis.call('HSET', KEYS[1], 'executor', ARGV[1], 'until', text(now + ARGV[2]))
return redis.call('HGET', KEYS[1], 'id')
`;

/** KEYS: trial. ARGV: id executor leaseMs waitsMs. Returns 1, or 0 if another executor has it. */
export const keepScript = `${now}
if not open(ARGV[4]) or redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end
if redis.call('HGET', KEYS[1], 'executor') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'until', text(now + ARGV[3]))
return 1
`;

/** KEYS: trial. ARGV: id findings waitsMs */
export const endScript = `${now}
if not open(ARGV[3]) or redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return end
redis.call('HSET', KEYS[1], 'ended', text(now), 'findings', ARGV[2])
redis.call('HDEL', KEYS[1], 'until')
`;
