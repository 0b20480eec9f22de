/**
 * An inquiry is a key (JSON) that expires when its requester stops polling, and an id in the sorted set of takeable
 * ones, by time. Times are those of Redis.
 */
const nowMs = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
`;

/** KEYS: due inquiry. ARGV: id inquiry(JSON) waitedMs */
export const askScript = `${nowMs}
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
redis.call('ZADD', KEYS[1], now, ARGV[1])
`;

/** KEYS: inquiry answer. ARGV: waitedMs. Returns the answer, or nothing. */
export const answerToScript = `
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return redis.call('GET', KEYS[2])
`;

/**
 * KEYS: due. ARGV: leaseMs inquiries(prefix). Returns an inquiry with a waiting requester, or nothing; deletes the
 * others.
 */
export const takeScript = `${nowMs}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 100)) do
  local inquiry = redis.call('GET', ARGV[2] .. id)
  if inquiry then
    redis.call('ZADD', KEYS[1], now + ARGV[1], id)
    return inquiry
  end
  redis.call('ZREM', KEYS[1], id)
end
return false
`;

/** KEYS: due inquiry. ARGV: id leaseMs. Returns 1 if a requester waits. */
export const isWantedScript = `${nowMs}
if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return 1
`;

/** KEYS: due inquiry answer. ARGV: id answer(JSON) retentionMs */
export const answerScript = `
redis.call('ZREM', KEYS[1], ARGV[1])
if redis.call('EXISTS', KEYS[2]) == 0 then return end
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[3], ARGV[2], 'PX', ARGV[3])
`;
