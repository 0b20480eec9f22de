/**
 * KEYS: session transitions events ended ledger
 * ARGV: id version archived, field ...
 * Leaves these fields of a session that has ended, of its end only what a row says, and where its files are. Returns 1, also where that was done already; 0 when it has
 * moved on.
 */
export const leaveRowScript = `
local state = redis.call('HGET', KEYS[1], 'state')
if not state then return 0 end
local status, version = string.match(state, '^(%S+) %S+ %S+ %S+ (%S+)')
if version ~= ARGV[2] or status == 'running' or status == 'cancelling' then return 0 end
local kept = {}
for i = 4, #ARGV do
  local value = redis.call('HGET', KEYS[1], ARGV[i])
  if value and ARGV[i] == 'stop' then
    local read, stop = pcall(cjson.decode, value)
    if read and type(stop) == 'table' then
      value = cjson.encode({reason = stop.reason, afterCycle = stop.afterCycle})
    end
  end
  if value then
    table.insert(kept, ARGV[i])
    table.insert(kept, value)
  end
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[5])
redis.call('HSET', KEYS[1], 'archived', ARGV[3], unpack(kept))
redis.call('ZREM', KEYS[4], ARGV[1])
return 1
`;

/**
 * KEYS: session transitions events ended
 * ARGV: id version nowMs fieldCount transitionCount, field value ..., transition ..., lastEventId events ...
 * Returns 1, or 0 when the session is not archived with this version.
 */
export const putBackScript = `
local stored = redis.call('HMGET', KEYS[1], 'state', 'archived')
if not stored[1] or not stored[2] then return 0 end
if string.match(stored[1], '^%S+ %S+ %S+ %S+ (%S+)') ~= ARGV[2] then return 0 end
local fields, transitions = 5 + 2 * ARGV[4], 5 + 2 * ARGV[4] + ARGV[5]
redis.call('HDEL', KEYS[1], 'archived')
redis.call('DEL', KEYS[2], KEYS[3])
for i = 6, fields, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
for i = fields + 1, transitions do redis.call('RPUSH', KEYS[2], ARGV[i]) end
for i = transitions + 1, #ARGV, 2 do redis.call('XADD', KEYS[3], ARGV[i], 'e', ARGV[i + 1]) end
redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
return 1
`;
