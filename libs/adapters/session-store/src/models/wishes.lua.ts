/**
 * Wishes for what models are to write are a hash by subject (see `nameOfSubject`), `<number> <asked at, ms>`, and a sorted set of when each may be taken. Times are Redis' own.
 */
const nowMs = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
`;

/** KEYS: session wishes due. ARGV: subject number. Returns the wish; nothing where the session is archived or not there. */
export const askScript = `${nowMs}
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('HEXISTS', KEYS[1], 'archived') == 1 then return false end
if redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2] .. ' ' .. string.format('%.0f', now)) == 1 then
  redis.call('ZADD', KEYS[3], now, ARGV[1])
end
return redis.call('HGET', KEYS[2], ARGV[1])
`;

/** KEYS: wishes due. ARGV: leaseMs. Returns the subject and its wish, or nothing. */
export const takeScript = `${nowMs}
local id = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 1)[1]
if not id then return false end
redis.call('ZADD', KEYS[2], now + ARGV[1], id)
return {id, redis.call('HGET', KEYS[1], id)}
`;

/** KEYS: wishes due. ARGV: subject wish inMs */
export const putBackScript = `${nowMs}
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1]) end
`;

/** KEYS: wishes due. ARGV: subject wish */
export const doneScript = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
`;
