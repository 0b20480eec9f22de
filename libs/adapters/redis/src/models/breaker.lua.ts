/**
 * A failing target is a hash (consecutive `troubles` and `rests`). While it is suspended there is a key beside it, and
 * another one while a single request tries it; both expire. Calls that were in progress when it was suspended, and fail
 * too, add no information.
 */

/** KEYS: target rest trial. ARGV: trialMs. Returns 1, or 0 while it is suspended. */
export const admitScript = `
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
if redis.call('HEXISTS', KEYS[1], 'rests') == 0 then return 1 end
return redis.call('SET', KEYS[3], '1', 'NX', 'PX', ARGV[1]) and 1 or 0
`;

/** KEYS: target rest trial. ARGV: sign, what is added to the troubles, troublesUntilRest restMs longestRestMs wantedMs(or 0) forgetMs */
export const reportScript = `
redis.call('DEL', KEYS[3])
if ARGV[1] == 'unknown' then return end
if ARGV[1] == 'works' then return redis.call('DEL', KEYS[1], KEYS[2]) end
if redis.call('EXISTS', KEYS[2]) == 1 then return end
local troubles = redis.call('HINCRBY', KEYS[1], 'troubles', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[7])
local before = tonumber(redis.call('HGET', KEYS[1], 'rests') or 0)
if before == 0 and troubles < tonumber(ARGV[3]) then return end
local rests = redis.call('HINCRBY', KEYS[1], 'rests', 1)
local rest = math.min(ARGV[5], math.max(ARGV[4] * 2 ^ math.min(rests - 1, 10), ARGV[6]))
redis.call('SET', KEYS[2], '1', 'PX', string.format('%.0f', rest))
`;
