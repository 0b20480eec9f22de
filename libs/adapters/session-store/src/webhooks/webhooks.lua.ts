import { sessionOutcomes } from '@fleet/contracts';
import { maxWaiting, putNotice } from './notices.lua';

/** Scripts of webhooks and their deliveries; `notices.lua.ts` says what lies where. KEYS[1] of all: hooks, from which the other names are made. */

/** ARGV: id webhook(JSON) subject kinds. One that was removed stays so. */
export const createWebhookScript = `
if redis.call('SISMEMBER', KEYS[1] .. ':removed', ARGV[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[1] .. ':of:' .. ARGV[3], ARGV[1], ARGV[4])
return 1
`;

/** ARGV: id subject. All that waits for it goes with it. */
export const removeWebhookScript = `
local own = KEYS[1] .. ':' .. ARGV[1]
redis.call('SADD', KEYS[1] .. ':removed', ARGV[1])
redis.call('HDEL', KEYS[1] .. ':of:' .. ARGV[2], ARGV[1])
for _, of in ipairs(redis.call('ZRANGE', own .. ':due', 0, -1)) do redis.call('UNLINK', own .. ':q:' .. of) end
redis.call('UNLINK', own, own .. ':due', own .. ':tries', own .. ':dead', own .. ':died')
redis.call('ZREM', KEYS[1] .. ':due', ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
`;

/** When a webhook is looked at next, from what is due of it. */
const rescore = `
local function rescore(hooks, hook)
  local own = hooks .. ':' .. hook
  local first = redis.call('ZRANGE', own .. ':due', 0, 0, 'WITHSCORES')
  if not first[2] then
    redis.call('ZREM', hooks .. ':due', hook)
    return
  end
  local waits = redis.call('HMGET', own, 'heldUntil', 'busyUntil')
  redis.call('ZADD', hooks .. ':due', math.max(tonumber(first[2]), tonumber(waits[1] or '0'), tonumber(waits[2] or '0')), hook)
end
`;

/**
 * The minutes for which what is told by e-mail is gathered; nil where it is not told so. Gathering begins with the first notice and holds the
 * webhook back; what is tried again, or was left over, waits no second time.
 */
const gathering = `
local function minutesOf(webhook)
  local readable, said = pcall(cjson.decode, webhook)
  if readable and type(said) == 'table' and type(said.url) == 'string' and string.sub(said.url, 1, 7) == 'mailto:' then
    return tonumber(said.everyMinutes) or 0
  end
  return nil
end
local function gathers(own, minutes, now)
  if minutes == 0 or redis.call('HLEN', own .. ':tries') > 0 then return false end
  local since = redis.call('ZRANGE', own .. ':due', 0, 0, 'WITHSCORES')[2]
  if tonumber(since) <= tonumber(redis.call('HGET', own, 'gathered') or '0') then return false end
  local till = since + minutes * 60000
  redis.call('HSET', own, 'gathered', till, 'heldUntil', till)
  return till > tonumber(now)
end
`;

/** What a claim gives out of the lines that are due: of each its first notice, and of e-mail all of them, as long as there is room. */
const giveOut = `
local function giveOut(own, claimed, now, lines, notices, leaseMs)
  for _, of in ipairs(redis.call('ZRANGEBYSCORE', own .. ':due', '-inf', now, 'LIMIT', 0, lines)) do
    local last = 0
    if notices then last = notices - 1 end
    if last < 0 then return end
    redis.call('ZADD', own .. ':due', now + leaseMs, of)
    local texts, tries = redis.call('LRANGE', own .. ':q:' .. of, 0, last), redis.call('HGET', own .. ':tries', of) or '0'
    if #texts == 0 then texts = {''} end
    for _, text in ipairs(texts) do
      claimed[#claimed + 1] = of
      claimed[#claimed + 1] = text
      claimed[#claimed + 1] = tries
      tries = '0'
    end
    if notices then notices = notices - #texts end
  end
end
`;

/**
 * ARGV: nowMs lines leaseMs mailNotices mailLeaseMs. Returns the id, the webhook, its failures in a row, and of each notice the name of its line,
 * itself and the tries of it.
 */
export const claimDeliveriesScript = `${rescore}${gathering}${giveOut}
local now = ARGV[1]
for _, hook in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1] .. ':due', '-inf', now, 'LIMIT', 0, 50)) do
  local own, webhook = KEYS[1] .. ':' .. hook, redis.call('HGET', KEYS[1], hook)
  redis.call('HDEL', own, 'busyUntil')
  if not webhook then
    redis.call('ZREM', KEYS[1] .. ':due', hook)
  elseif redis.call('ZCOUNT', own .. ':due', '-inf', now) == 0 then
    rescore(KEYS[1], hook)
  else
    local minutes = minutesOf(webhook)
    if minutes and gathers(own, minutes, now) then
      rescore(KEYS[1], hook)
    else
      local claimed = {hook, webhook, redis.call('HGET', own, 'failing') or '0'}
      local leaseMs = ARGV[3]
      if minutes then
        leaseMs = ARGV[5]
        redis.call('HSET', own, 'gathered', now + leaseMs)
        giveOut(own, claimed, now, ARGV[4], tonumber(ARGV[4]), leaseMs)
      else
        giveOut(own, claimed, now, ARGV[2], nil, leaseMs)
      end
      redis.call('HSET', own, 'busyUntil', now + leaseMs)
      redis.call('ZADD', KEYS[1] .. ':due', now + leaseMs, hook)
      return claimed
    end
  end
end
return {}
`;

/** Takes the first notice out of a line, if it is still this one; the next is due at once. */
const take = `
local function take(own, of, id, now)
  local first = redis.call('LINDEX', own .. ':q:' .. of, 0)
  if not first or string.match(first, '^(%S+)') ~= id then return nil end
  redis.call('LPOP', own .. ':q:' .. of)
  redis.call('HDEL', own .. ':tries', of)
  redis.call('HINCRBY', own, 'waiting', -1)
  if redis.call('EXISTS', own .. ':q:' .. of) == 1 then redis.call('ZADD', own .. ':due', now, of) else redis.call('ZREM', own .. ':due', of) end
  return first
end
`;

/** ARGV: hook of id nowMs nowIso. Returns 1, or 0 where it was settled before. */
export const deliveredScript = `${take}
local own = KEYS[1] .. ':' .. ARGV[1]
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or not take(own, ARGV[2], ARGV[3], ARGV[4]) then return 0 end
redis.call('HINCRBY', own, 'delivered', 1)
redis.call('HSET', own, 'lastDeliveredAt', ARGV[5], 'failing', 0)
redis.call('HDEL', own, 'heldUntil')
return 1
`;

/** Dead notices that are kept of one webhook. */
const maxDead = 1000;

/** ARGV: hook of id nowMs nowIso attempts againAt(or '' for never) heldUntil(or '') why failing. Returns 1, or 0 where it was settled before. */
export const failedScript = `${take}
local own = KEYS[1] .. ':' .. ARGV[1]
local first = redis.call('LINDEX', own .. ':q:' .. ARGV[2], 0)
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or not first or string.match(first, '^(%S+)') ~= ARGV[3] then return 0 end
if (redis.call('HGET', own .. ':tries', ARGV[2]) or '0') ~= ARGV[6] then return 0 end
redis.call('HSET', own, 'lastFailedAt', ARGV[5], 'lastFailure', ARGV[9], 'failing', ARGV[10])
if ARGV[8] ~= '' then redis.call('HSET', own, 'heldUntil', ARGV[8]) end
local attempts = tostring(tonumber(ARGV[6]) + 1)
if ARGV[7] ~= '' then
  redis.call('HSET', own .. ':tries', ARGV[2], attempts)
  redis.call('ZADD', own .. ':due', ARGV[7], ARGV[2])
  return 1
end
take(own, ARGV[2], ARGV[3], ARGV[4])
redis.call('HSET', own .. ':dead', ARGV[3], cjson.encode({of = ARGV[2], attempts = attempts, diedAt = ARGV[5], why = ARGV[9], text = first}))
redis.call('ZADD', own .. ':died', ARGV[4], ARGV[3])
if redis.call('ZCARD', own .. ':died') > ${String(maxDead)} then
  redis.call('HDEL', own .. ':dead', redis.call('ZPOPMIN', own .. ':died')[1])
  redis.call('HINCRBY', own, 'lost', 1)
end
return 1
`;

/** ARGV: hook nowMs. */
export const releaseScript = `${rescore}
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local own = KEYS[1] .. ':' .. ARGV[1]
redis.call('HDEL', own, 'busyUntil')
if redis.call('HEXISTS', own, 'gathered') == 1 then redis.call('HSET', own, 'gathered', ARGV[2]) end
rescore(KEYS[1], ARGV[1])
return 1
`;

/** ARGV: hook nowMs, id ... Returns how many wait again; those that find no room stay dead. */
export const replayScript = `${putNotice}
local own, replayed = KEYS[1] .. ':' .. ARGV[1], 0
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
for i = 3, #ARGV do
  local dead = redis.call('HGET', own .. ':dead', ARGV[i])
  if dead and tonumber(redis.call('HGET', own, 'waiting') or '0') < ${String(maxWaiting)} then
    local notice = cjson.decode(dead)
    redis.call('HDEL', own .. ':dead', ARGV[i])
    redis.call('ZREM', own .. ':died', ARGV[i])
    putNotice(KEYS[1], ARGV[1], notice.of, ARGV[2], notice.text)
    replayed = replayed + 1
  end
end
return replayed
`;

/**
 * KEYS: hooks. ARGV: prefix nowMs nowIso limit. A batch has ended when its manifest is complete, no row is to be looked at or started, and no
 * session of it runs. It is looked at once for everything that ended in it, so that its end is told once.
 */
export const noticeBatchesScript = `${putNotice}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1] .. ':batches', 0, ARGV[4] - 1)) do
  redis.call('ZREM', KEYS[1] .. ':batches', id)
  local b = redis.call('HMGET', ARGV[1] .. ':b:' .. id, 'batch', 'start', 'complete', 'n:waiting', 'n:checked', 'n:accepted', 'n:rejected')
  local toDo, rejected = tonumber(b[4] or '0'), tonumber(b[7] or '0')
  if b[2] == 'together' and (tonumber(b[6] or '0') > 0 or rejected == 0) then toDo = toDo + tonumber(b[5] or '0') end
  local of, active = ARGV[1] .. ':i:batch:' .. id, 0
  for _, status in ipairs({'running', 'cancelling'}) do
    active = active + redis.call('ZINTERCARD', 2, of, ARGV[1] .. ':i:' .. status .. ':*:*', 'LIMIT', 1)
  end
  local readable, batch = pcall(cjson.decode, b[1] or '')
  if readable and b[3] == '1' and toDo == 0 and active == 0 then
    local outcomes = {}
    for _, word in ipairs({${sessionOutcomes.map((word) => `'${word}'`).join(', ')}}) do
      local count = redis.call('ZINTERCARD', 2, of, ARGV[1] .. ':i:outcome:' .. word)
      outcomes[#outcomes + 1] = '"' .. word .. '":' .. count
    end
    local notice = '{"kind":"batch.ended","at":"' .. ARGV[3] .. '","outcomes":{' .. table.concat(outcomes, ',') .. '},"rejected":' .. rejected .. '}'
    local labels = cjson.encode({title = batch.title, proposal = batch.proposal})
    local text = id .. '-' .. ARGV[2] .. ' ' .. notice .. '\\n' .. labels
    for _, subject in ipairs({'batch:' .. id, 'proposal:' .. batch.proposal}) do
      putForAll(KEYS[1], subject, id, ARGV[2], 'batch.ended', text)
    end
  end
end
return ''
`;
