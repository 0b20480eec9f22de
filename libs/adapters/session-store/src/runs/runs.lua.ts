/** The writes of run slots and of the register of orphans, each one script and so atomic. */

/**
 * Keys of the slots, the same for every script: what each run holds (hash of names), how many hold each key (hash), since when runs
 * wait (sorted set), which of them wait here for a place (sorted set by arrival), which are stuck (set), what each run is (hash), when
 * it got its place (hash), starts of a day (hash), turns of proposals (hash), a few numbers (hash), and when it came (hash): whoever is
 * sent back to the line stands where it stood.
 */
const prelude = `
local held, counts, waiting, line, stuck, runs, from, days, turns, numbers, arrivals = unpack(KEYS, 1, 11)
local function number(name) return tonumber(redis.call('HGET', numbers, name) or '0') end
local function fullIn(hash, prefix, claims)
  for _, claim in ipairs(claims) do
    if claim.limit > 0 and tonumber(redis.call('HGET', hash, prefix .. claim.key) or '0') >= claim.limit then return claim.key end
  end
  return nil
end
local function fullOf(asked, day) return fullIn(days, day .. ' ', asked.quotas) or fullIn(counts, '', asked.claims) end
local function place(name, claims, now, nodes)
  local keys = {}
  for i, claim in ipairs(claims) do
    keys[i] = claim.key
    redis.call('HINCRBY', counts, claim.key, 1)
  end
  redis.call('HSET', held, name, cjson.encode(keys))
  redis.call('HSET', from, name, now .. ' ' .. nodes)
  redis.call('ZREM', line, name)
  redis.call('SREM', stuck, name)
end
local function started(quotas, day)
  for _, quota in ipairs(quotas) do redis.call('HINCRBY', days, day .. ' ' .. quota.key, 1) end
end
local function giveBack(name)
  local keys = redis.call('HGET', held, name)
  if not keys then return end
  redis.call('HDEL', held, name)
  redis.call('HDEL', from, name)
  for _, key in ipairs(cjson.decode(keys)) do
    if redis.call('HINCRBY', counts, key, -1) <= 0 then redis.call('HDEL', counts, key) end
  end
end
local function queue(name, now)
  redis.call('ZADD', waiting, 'NX', now, name)
  if redis.call('HEXISTS', arrivals, name) == 0 then redis.call('HSET', arrivals, name, redis.call('HINCRBY', numbers, 'arrivals', 1)) end
  redis.call('ZADD', line, redis.call('HGET', arrivals, name), name)
end
`;

/**
 * ARGV: nowMs oldestCountMs day claimant(JSON). Returns 'before', 'taken', 'uncounted', 'others' (nothing is full, but others
 * wait) or the key that is full.
 */
export const askScript = `${prelude}
local now, day, asked = ARGV[1], ARGV[3], cjson.decode(ARGV[4])
local name = asked.run.name
if redis.call('HEXISTS', held, name) == 1 then return 'before' end
if number('countedAt') < tonumber(ARGV[2]) then return 'uncounted' end
local full = fullOf(asked, day)
local others = redis.call('ZCARD', line)
if redis.call('ZSCORE', line, name) then others = others - 1 end
redis.call('HSET', runs, name, cjson.encode(asked.run))
if not full and others == 0 then
  place(name, asked.claims, now, asked.run.nodes)
  started(asked.quotas, day)
  redis.call('HDEL', numbers, 'noRoom:cpu', 'noRoom:gpu')
  local turn = math.max(number('turn'), tonumber(redis.call('HGET', turns, asked.run.proposal) or '0'))
  redis.call('HSET', numbers, 'turn', tostring(turn))
  redis.call('HSET', turns, asked.run.proposal, tostring(turn + 1 / asked.weight))
  redis.call('HINCRBY', numbers, 'revision', 1)
  return 'taken'
end
queue(name, now)
return full or 'others'
`;

/** ARGV: nowMs day revision, start(JSON) sessionId ...; the twelfth key: deadlines. Returns 'stale' or the names that were granted. */
export const grantScript = `${prelude}
if number('revision') ~= tonumber(ARGV[3]) then return 'stale' end
local time = redis.call('TIME')
local due = time[1] * 1000 + math.floor(time[2] / 1000)
local granted = {}
for i = 4, #ARGV, 2 do
  local start = cjson.decode(ARGV[i])
  local name = start.run.name
  if redis.call('ZSCORE', line, name) and not fullOf(start, ARGV[2]) then
    place(name, start.claims, ARGV[1], start.run.nodes)
    started(start.quotas, ARGV[2])
    redis.call('HSET', turns, start.run.proposal, tostring(start.nextTurn))
    redis.call('HSET', numbers, 'turn', tostring(start.turn))
    redis.call('ZADD', KEYS[12], 'XX', due, ARGV[i + 1])
    table.insert(granted, name)
  end
end
redis.call('HINCRBY', numbers, 'revision', 1)
return granted
`;

/** ARGV: nowMs claimant(JSON) */
export const runningScript = `${prelude}
local seen = cjson.decode(ARGV[2])
local name = seen.run.name
redis.call('HSETNX', runs, name, cjson.encode(seen.run))
if redis.call('HEXISTS', held, name) == 0 then place(name, seen.claims, ARGV[1], seen.run.nodes) end
redis.call('ZREM', waiting, name)
redis.call('ZREM', line, name)
redis.call('SREM', stuck, name)
redis.call('HDEL', arrivals, name)
return ''
`;

/** ARGV: nowMs kind run(JSON) */
export const waitScript = `${prelude}
local kind, run = ARGV[2], cjson.decode(ARGV[3])
local name = run.name
redis.call('HSETNX', runs, name, ARGV[3])
redis.call('SREM', stuck, name)
if kind == 'no_room' or kind == 'held' then
  giveBack(name)
  queue(name, ARGV[1])
  if kind == 'no_room' then redis.call('HSET', numbers, 'noRoom:' .. run.nodes, 1) end
  return ''
end
redis.call('ZADD', waiting, 'NX', ARGV[1], name)
redis.call('ZREM', line, name)
if kind == 'stuck' then redis.call('SADD', stuck, name) end
return ''
`;

/** ARGV: nowMs name. Returns how many wait here. A length counts as a tenth of what is typical. */
export const releaseScript = `${prelude}
local name = ARGV[2]
local since, nodes = string.match(redis.call('HGET', from, name) or '', '^(%d+) (%a+)$')
if since then
  local typical, length = number('typical:' .. nodes), tonumber(ARGV[1]) - tonumber(since)
  redis.call('HSET', numbers, 'typical:' .. nodes, tostring(math.floor(typical == 0 and length or 0.9 * typical + 0.1 * length)))
end
giveBack(name)
redis.call('ZREM', waiting, name)
redis.call('ZREM', line, name)
redis.call('SREM', stuck, name)
redis.call('HDEL', runs, name)
redis.call('HDEL', arrivals, name)
return redis.call('ZCARD', line)
`;

/** ARGV: nowMs day site(JSON). Counts are made anew from what is held; starts of other days and turns that have passed are forgotten. */
export const countedScript = `${prelude}
redis.call('DEL', counts)
for _, keys in ipairs(redis.call('HVALS', held)) do
  for _, key in ipairs(cjson.decode(keys)) do redis.call('HINCRBY', counts, key, 1) end
end
for _, field in ipairs(redis.call('HKEYS', days)) do
  if string.sub(field, 1, #ARGV[2]) ~= ARGV[2] then redis.call('HDEL', days, field) end
end
local turn = number('turn')
local all = redis.call('HGETALL', turns)
for i = 1, #all, 2 do
  if tonumber(all[i + 1]) <= turn then redis.call('HDEL', turns, all[i]) end
end
redis.call('HSET', numbers, 'countedAt', ARGV[1], 'site', ARGV[3])
return ''
`;

/** No ARGV. Returns counts, days, turns, numbers (each flat), and of each run in line: arrival, since, what it is. */
export const lineScript = `${prelude}
local waiters = {}
local all = redis.call('ZRANGE', line, 0, -1, 'WITHSCORES')
for i = 1, #all, 2 do
  local run = redis.call('HGET', runs, all[i])
  if run then
    table.insert(waiters, all[i + 1])
    table.insert(waiters, redis.call('ZSCORE', waiting, all[i]) or '0')
    table.insert(waiters, run)
  end
end
return {
  redis.call('HGETALL', counts), redis.call('HGETALL', days), redis.call('HGETALL', turns), redis.call('HGETALL', numbers),
  waiters
}
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
