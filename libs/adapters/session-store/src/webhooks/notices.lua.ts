/**
 * What the moves of sessions and batches write for webhooks, in their own scripts.
 *
 * `<prefix>:hooks` is a hash of all webhooks; where it is missing, nothing is told and nothing is looked at. `…:of:<session|batch|proposal>:<name>`
 * is a hash of those about one thing, with the kinds that each is told. What waits for one webhook is `…:<id>:q:<subject>`, a list for each session
 * or batch (`<notice id> <notice as JSON>`, a line end, and what is known of the subject as JSON); `…:<id>:due` says when the first of each is
 * due, `…:due` when a webhook is. `…:<id>` is a hash: `waiting`, `delivered`, `dead`, `lost`, `failing`, `heldUntil`, `busyUntil`, `last…`; of
 * e-mail `gathered`, the time until which what came is told without gathering again.
 */

/** Notices that may wait for one webhook: a target that is away for weeks must not fill Redis. */
export const maxWaiting = 20_000;

/** When a webhook is looked at next, where something of it is due at `at`. */
const putWebhook = `
local function putWebhook(hooks, hook, at)
  local own = redis.call('HMGET', hooks .. ':' .. hook, 'heldUntil', 'busyUntil')
  redis.call('ZADD', hooks .. ':due', 'LT', math.max(tonumber(at), tonumber(own[1] or '0'), tonumber(own[2] or '0')), hook)
end
`;

export const putNotice = `${putWebhook}
local function putNotice(hooks, hook, of, now, text)
  local own = hooks .. ':' .. hook
  if tonumber(redis.call('HGET', own, 'waiting') or '0') >= ${String(maxWaiting)} then
    redis.call('HINCRBY', own, 'lost', 1)
    return
  end
  redis.call('HINCRBY', own, 'waiting', 1)
  redis.call('RPUSH', own .. ':q:' .. of, text)
  redis.call('ZADD', own .. ':due', 'NX', now, of)
  putWebhook(hooks, hook, now)
end
local function putForAll(hooks, subject, of, now, kind, text)
  local found = redis.call('HGETALL', hooks .. ':of:' .. subject)
  for i = 1, #found, 2 do
    if string.find(found[i + 1], ' ' .. kind .. ' ', 1, true) then putNotice(hooks, found[i], of, now, text) end
  end
end
`;

/** A batch of which something has ended may have ended as a whole: it is looked at. */
export const noticeBatch = `
local function noticeBatch(prefix, batch, now)
  if redis.call('EXISTS', prefix .. ':hooks') == 1 then redis.call('ZADD', prefix .. ':hooks:batches', now, batch) end
end
`;

/**
 * `notices`: '' or JSON, a list of `[kind, notice id, notice as JSON]`. A session whose row is damaged tells nothing: it has to be able to move
 * all the same.
 */
export const notify = `${putNotice}${noticeBatch}
local function notify(prefix, id, row, now, notices)
  local hooks = prefix .. ':hooks'
  if notices == '' or not row or redis.call('EXISTS', hooks) == 0 then return end
  local readable, labels = pcall(cjson.decode, row)
  if not readable or type(labels) ~= 'table' then return end
  local subjects = {'session:' .. id}
  if type(labels.proposal) == 'string' then subjects[#subjects + 1] = 'proposal:' .. labels.proposal end
  if type(labels.batch) == 'string' then subjects[#subjects + 1] = 'batch:' .. labels.batch end
  for _, notice in ipairs(cjson.decode(notices)) do
    if notice[1] == 'session.ended' and type(labels.batch) == 'string' then noticeBatch(prefix, labels.batch, now) end
    for _, subject in ipairs(subjects) do
      putForAll(hooks, subject, id, now, notice[1], notice[2] .. ' ' .. notice[3] .. '\\n' .. row)
    end
  end
end
`;
