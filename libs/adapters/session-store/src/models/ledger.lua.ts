/**
 * The ledger of a session is one hash: `count` of its requests, of each `asked:<number>` and, once it is settled or lost, `came:<number>`
 * (JSON), `open:<work>` (the numbers of those under way), `holder:<work>` (the worker that took it last, until it lets go) and
 * `spent:<what>`. Those of a proposal and of a day have `spent:<what>` alone.
 */

const spend = `
local function spend(key, sign, requests, tokens, cost)
  redis.call('HINCRBYFLOAT', key, 'spent:requests', sign * requests)
  redis.call('HINCRBYFLOAT', key, 'spent:tokens', sign * tokens)
  redis.call('HINCRBYFLOAT', key, 'spent:cost', sign * cost)
end
`;

/** A lease that has lapsed is still that of its worker where nobody has taken it: Redis or the worker stood still. */
const holds = `
local function holds(held, ledger, worker, work)
  return (redis.call('GET', held) or redis.call('HGET', ledger, 'holder:' .. work)) == worker
end
`;

/** KEYS: held ledger. ARGV: worker leaseMs work keptMs(or '' for good). Returns 1, or 0 while another worker has it. */
export const holdScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('HSET', KEYS[2], 'holder:' .. ARGV[3], ARGV[1])
local open = 'open:' .. ARGV[3]
for number in string.gmatch(redis.call('HGET', KEYS[2], open) or '', '%d+') do
  redis.call('HSET', KEYS[2], 'came:' .. number, '{"came":"lost","cost":null}')
end
redis.call('HDEL', KEYS[2], open)
if ARGV[4] ~= '' then redis.call('PEXPIRE', KEYS[2], ARGV[4]) end
return 1
`;

/** KEYS: held ledger. ARGV: worker leaseMs(or '' to let it go) work. Returns 1, or 0 where this worker has it no longer. */
export const renewScript = `${holds}
if not holds(KEYS[1], KEYS[2], ARGV[1], ARGV[3]) then return 0 end
if ARGV[2] ~= '' then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
else
  redis.call('DEL', KEYS[1])
  redis.call('HDEL', KEYS[2], 'holder:' .. ARGV[3])
end
return 1
`;

/**
 * KEYS: held ledger proposal. ARGV: worker work asked(JSON) days(prefix) requests tokens cost budgets(JSON).
 * Returns the number and the day; or 'not_held', or whose budget does not allow it. A day is one of the clock of Redis.
 */
export const reserveScript = `${holds}${spend}
if not holds(KEYS[1], KEYS[2], ARGV[1], ARGV[2]) then return {'not_held'} end
local day = string.format('%.0f', math.floor(redis.call('TIME')[1] / 86400))
local most = {requests = ARGV[5], tokens = ARGV[6], cost = ARGV[7]}
local keys = {session = KEYS[2], proposal = KEYS[3], day = ARGV[4] .. day}
local budgets = cjson.decode(ARGV[8])
for _, whose in ipairs({'session', 'proposal', 'day'}) do
  for what, limit in pairs(budgets[whose] or {}) do
    if (redis.call('HGET', keys[whose], 'spent:' .. what) or 0) + most[what] > limit then return {whose} end
  end
end
for _, key in pairs(keys) do spend(key, 1, ARGV[5], ARGV[6], ARGV[7]) end
redis.call('EXPIRE', keys.day, 691200)
local number = string.format('%.0f', redis.call('HINCRBY', KEYS[2], 'count', 1))
local open = 'open:' .. ARGV[2]
redis.call('HSET', KEYS[2], 'asked:' .. number, ARGV[3], open, (redis.call('HGET', KEYS[2], open) or '') .. number .. ' ')
return {'reserved', number, day}
`;

/**
 * KEYS: ledger proposal day. ARGV: number work outcome(JSON) requests tokens cost, which were not used.
 * What came of it is written down also where it counted as lost; nothing of a session that was archived meanwhile.
 */
export const settleScript = `${spend}
for i = 2, 3 do spend(KEYS[i], -1, ARGV[4], ARGV[5], ARGV[6]) end
if redis.call('HEXISTS', KEYS[1], 'asked:' .. ARGV[1]) == 0 then return 0 end
spend(KEYS[1], -1, ARGV[4], ARGV[5], ARGV[6])
local open = 'open:' .. ARGV[2]
local others = {}
for number in string.gmatch(redis.call('HGET', KEYS[1], open) or '', '%d+') do
  if number ~= ARGV[1] then others[#others + 1] = number .. ' ' end
end
if #others == 0 then redis.call('HDEL', KEYS[1], open) else redis.call('HSET', KEYS[1], open, table.concat(others)) end
return redis.call('HSET', KEYS[1], 'came:' .. ARGV[1], ARGV[3])
`;
