/** The writes of run slots and of the register of orphans, each one script and so atomic. */

/** Gives back what a run holds. The keys it was counted under are stored with it, so that a changed limit or class miscounts nothing. */
const giveBack = `
local function giveBack(slots, counts, name)
  local held = redis.call('HGET', slots, name)
  if not held then return end
  redis.call('HDEL', slots, name)
  for _, key in ipairs(cjson.decode(held)) do
    if redis.call('HINCRBY', counts, key, -1) <= 0 then redis.call('HDEL', counts, key) end
  end
end
`;

/**
 * KEYS: slots counts waiting. ARGV: name heldKeys(JSON) started(1|0), key limit ...
 * Returns 'taken', 'before' when the run had its place already, or 'full' and the key that stood in the way.
 */
export const takeScript = `
local result = 'before'
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  for i = 4, #ARGV, 2 do
    local limit = tonumber(ARGV[i + 1])
    if limit > 0 and tonumber(redis.call('HGET', KEYS[2], ARGV[i]) or '0') >= limit then return {'full', ARGV[i]} end
  end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  for i = 4, #ARGV, 2 do redis.call('HINCRBY', KEYS[2], ARGV[i], 1) end
  result = 'taken'
end
if ARGV[3] == '1' then redis.call('ZREM', KEYS[3], ARGV[1]) end
return {result}
`;

/** KEYS: slots counts waiting. ARGV: name nowMs giveBack(1|0) */
export const waitScript = `${giveBack}
if ARGV[3] == '1' then giveBack(KEYS[1], KEYS[2], ARGV[1]) end
redis.call('ZADD', KEYS[3], 'NX', ARGV[2], ARGV[1])
return ''
`;

/** KEYS: slots counts waiting. ARGV: name */
export const releaseScript = `${giveBack}
giveBack(KEYS[1], KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
return ''
`;

/**
 * KEYS: orphans strikes removing. ARGV: nowMs apartMs, name orphan(JSON) ...
 * A strike's value is `<strikes> <firstSeenMs> <lastStrikeMs>`.
 */
export const sawScript = `
local seen = {}
for i = 3, #ARGV, 2 do
  local name = ARGV[i]
  seen[name] = true
  redis.call('HSET', KEYS[1], name, ARGV[i + 1])
  local strikes, first, last = string.match(redis.call('HGET', KEYS[2], name) or '', '^(%S+) (%S+) (%S+)$')
  if not last or tonumber(ARGV[1]) - tonumber(last) >= tonumber(ARGV[2]) then
    redis.call('HSET', KEYS[2], name, table.concat({tostring(tonumber(strikes or '0') + 1), first or ARGV[1], ARGV[1]}, ' '))
  end
end
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
  if not seen[name] then
    redis.call('HDEL', KEYS[1], name)
    redis.call('HDEL', KEYS[2], name)
    redis.call('SREM', KEYS[3], name)
  end
end
return ''
`;

/** KEYS: strikes removing. ARGV: strikes that are needed. Returns the names that are to be removed. */
export const requestRemovalScript = `
local names = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if tonumber(string.match(all[i + 1], '^(%S+)')) >= tonumber(ARGV[1]) then
    redis.call('SADD', KEYS[2], all[i])
    table.insert(names, all[i])
  end
end
return names
`;

/** KEYS: orphans strikes removing. ARGV: name */
export const removedScript = `
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[3], ARGV[1])
return ''
`;
