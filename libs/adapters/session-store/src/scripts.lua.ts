import { sessionOutcomes } from '@fleet/contracts';
import { FEED_LENGTH } from './feed-length';
import { notify } from './webhooks/notices.lua';

/**
 * The writes of the session store, each one script and so atomic. Keys are declared; only the indexes of statuses and outcomes are made
 * from the prefix, because their names depend on the stored status.
 *
 * A session is one hash, so that a load is one command. A field costs both sides of the wire about as much as a hundred bytes, so what
 * changes together is one field: `state` (`<status> <stage> <cycle> <attempt> <version> <wakeUps> <updatedAt>`), `row` (what else a list
 * shows, as JSON), `request`, `guidance` (what is asked for) with `advised` (its revision, from the second one on), `stop`, `progress` (how far it is, for lists), `listed` (what stands for it in the indexes), `c:<number>` per
 * cycle (packed, see `packing/`; `x:<number>` of one that was taken out) and `paged` (the last event that lies there).
 */

/**
 * Puts the events of a move into the stream, as one entry under the id of the last of them, and announces them. The ids go on after what is
 * there, or after `paged` where all of it lies in pages. Of one event Redis says itself whether it comes after the last; for more the last
 * is looked at. The feed of all sessions gets the same entry, with the session's id and what it was before (`was`, a status; '' of a new
 * one): Redis numbers it, so that one id is a place in the moves of all sessions.
 */
const appendEvents = `
local function tell(feed, id, was, last, events)
  redis.call('XADD', feed, 'MAXLEN', '~', '${String(FEED_LENGTH)}', '*', 's', id, 'w', was, 'l', last, 'e', events)
  redis.call('PUBLISH', feed, '')
end
local function added(stream, paged, now, count, events)
  if count ~= '1' or (paged and tonumber(now) <= tonumber(string.match(paged, '^%d+'))) then return nil end
  local reply = redis.pcall('XADD', stream, now .. '-0', 'e', events)
  if type(reply) == 'string' then return reply end
end
local function addedAfterLast(stream, paged, now, count, events)
  local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  local time, number = string.match(last and last[1] or paged or '0-0', '^(%d+)-(%d+)$')
  local id = now .. '-' .. (count - 1)
  if tonumber(now) <= tonumber(time) then id = time .. '-' .. string.format('%.0f', number + count) end
  return redis.call('XADD', stream, id, 'e', events)
end
local function append(id, stream, news, feed, was, paged, now, count, events)
  if count == '0' then return end
  local last = added(stream, paged, now, count, events) or addedAfterLast(stream, paged, now, count, events)
  redis.call('PUBLISH', news, '')
  tell(feed, id, was, last, events)
end
`;

/** Moves a session from the index of one status to that of another. A damaged record that does not know its name there stays where it is. */
const moveStatus = `
local function moveStatus(prefix, listed, from, to)
  if not listed then return end
  redis.call('ZREM', prefix .. ':i:' .. from .. ':*:*', listed)
  redis.call('ZADD', prefix .. ':i:' .. to .. ':*:*', 0, listed)
end
`;

/** Puts a session into the index of its outcome ('' while it runs), and out of all others, in which an older release may have left it. */
const setOutcome = `
local function setOutcome(prefix, listed, outcome)
  if not listed then return end
  for _, word in ipairs({${sessionOutcomes.map((word) => `'${word}'`).join(', ')}}) do
    if word ~= outcome then redis.call('ZREM', prefix .. ':i:outcome:' .. word, listed) end
  end
  if outcome ~= '' then redis.call('ZADD', prefix .. ':i:outcome:' .. outcome, 0, listed) end
end
`;

/** Writes the state, with what lists show of the work from now on ('': as before) and other fields. */
const keepState = `
local function keepState(key, state, progress, fields)
  if progress ~= '' then
    fields[#fields + 1] = 'progress'
    fields[#fields + 1] = progress
  end
  redis.call('HSET', key, 'state', state, unpack(fields))
end
`;

/**
 * KEYS: session events news outbox due called ended feed, index ...
 * ARGV: id listed nowMs dueAt(or '') fieldCount eventCount events, field value ..., name name prefix notices(or '')
 * Returns 1, or 0 when the id is taken.
 */
export const createScript = `${appendEvents}${notify}
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local fields = tonumber(ARGV[5]) * 2
for i = 8, 6 + fields, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('ZADD', KEYS[6], 0, ARGV[8 + fields], 0, ARGV[9 + fields])
for i = 9, #KEYS do redis.call('ZADD', KEYS[i], 0, ARGV[2]) end
if ARGV[4] ~= '' then
  redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
  redis.call('ZADD', KEYS[5], ARGV[4], ARGV[1])
else
  redis.call('ZADD', KEYS[7], ARGV[3], ARGV[1])
end
append(ARGV[1], KEYS[2], KEYS[3], KEYS[8], '', nil, ARGV[3], ARGV[6], ARGV[7])
notify(ARGV[10 + fields], ARGV[1], redis.call('HGET', KEYS[1], 'row'), ARGV[3], ARGV[11 + fields])
return 1
`;

/**
 * KEYS: session transitions events news outbox due ended feed
 * ARGV: prefix id fromVersion nextWord stage(or '' when ended) cycle attempt status(or '') stop(or '') nowIso nowMs dueAt wakeNow(1|0)
 *       cycleField(or '') cycleRecord progress('' or JSON) eventCount events pagedUpTo(or '') guidance(revision or '')
 *       outcome(or '') notices(or ''), guidance field, value ...
 * With `pagedUpTo` the cycle's record holds all events and moves until now, those of this call too, and the stream begins anew; the feed is
 * told nevertheless.
 * Returns the new state and the row, or why the move was not made.
 */
export const advanceScript = `${appendEvents}${moveStatus}${setOutcome}${keepState}${notify}
local stored = redis.call('HMGET', KEYS[1], 'state', 'row', 'listed', 'paged', 'advised')
local state = stored[1]
if not state then return {'missing'} end
local status, stage, cycle, attempt, version = string.match(state, '^(%S+) (%S+) (%S+) (%S+) (%S+)')
if status ~= 'running' and status ~= 'cancelling' then return {'ended'} end
if version ~= ARGV[3] then return {'stale'} end
if ARGV[20] ~= '' and ARGV[20] ~= (stored[5] or '1') then return {'advised'} end
local was = status
version = tostring(tonumber(version) + 1)
if ARGV[19] ~= '' then
  redis.call('DEL', KEYS[2], KEYS[3])
  redis.call('HSET', KEYS[1], 'paged', ARGV[19])
  redis.call('PUBLISH', KEYS[4], '')
end
redis.call('RPUSH', KEYS[2], version .. ' ' .. cycle .. '.' .. attempt .. ' ' .. stage .. '->' .. ARGV[4])
local fields = {}
if ARGV[14] ~= '' then fields = {ARGV[14], ARGV[15]} end
for i = 23, #ARGV do fields[#fields + 1] = ARGV[i] end
if ARGV[5] == '' then
  moveStatus(ARGV[1], stored[3], status, ARGV[8])
  setOutcome(ARGV[1], stored[3], ARGV[21])
  status = ARGV[8]
  redis.call('HSET', KEYS[1], 'stop', ARGV[9])
  redis.call('ZADD', KEYS[7], ARGV[11], ARGV[2])
  redis.call('ZREM', KEYS[5], ARGV[2])
  redis.call('ZREM', KEYS[6], ARGV[2])
else
  stage, cycle, attempt = ARGV[5], ARGV[6], ARGV[7]
  if ARGV[13] == '1' then redis.call('ZADD', KEYS[5], ARGV[11], ARGV[2]) else redis.call('ZREM', KEYS[5], ARGV[2]) end
  redis.call('ZADD', KEYS[6], ARGV[12], ARGV[2])
end
state = table.concat({status, stage, cycle, attempt, version, '0', ARGV[10]}, ' ')
keepState(KEYS[1], state, ARGV[16], fields)
if ARGV[19] == '' then
  append(ARGV[2], KEYS[3], KEYS[4], KEYS[8], was, stored[4], ARGV[11], ARGV[17], ARGV[18])
elseif ARGV[17] ~= '0' then
  tell(KEYS[8], ARGV[2], was, ARGV[19], ARGV[18])
end
notify(ARGV[1], ARGV[2], stored[2], ARGV[11], ARGV[22])
return {'applied', state, stored[2], stored[5]}
`;

/**
 * KEYS: session transitions events news outbox due feed
 * ARGV: prefix id nextWord nowIso nowMs dueAt eventCount events
 */
export const cancelScript = `${appendEvents}${moveStatus}
local state = redis.call('HGET', KEYS[1], 'state')
if not state then return 'missing' end
local status, stage, cycle, attempt, version = string.match(state, '^(%S+) (%S+) (%S+) (%S+) (%S+)')
if status == 'cancelling' then return 'cancelling' end
if status ~= 'running' then return 'ended' end
version = tostring(tonumber(version) + 1)
redis.call('RPUSH', KEYS[2], version .. ' ' .. cycle .. '.' .. attempt .. ' ' .. stage .. '->' .. ARGV[3])
redis.call('HSET', KEYS[1], 'state', table.concat({'cancelling', stage, cycle, attempt, version, '0', ARGV[4]}, ' '))
moveStatus(ARGV[1], redis.call('HGET', KEYS[1], 'listed'), status, 'cancelling')
redis.call('ZADD', KEYS[5], ARGV[5], ARGV[2])
redis.call('ZADD', KEYS[6], ARGV[6], ARGV[2])
append(ARGV[2], KEYS[3], KEYS[4], KEYS[7], status, redis.call('HGET', KEYS[1], 'paged'), ARGV[5], ARGV[7], ARGV[8])
return 'cancelling'
`;

/**
 * KEYS: session transitions events news outbox due ended feed
 * ARGV: prefix id fromVersion nextWord stage(or '' when ended) cycle attempt status stop(or '') nowIso nowMs dueAt
 *       lastCycle(or '') request(or '') progress('' or JSON) eventCount events outcome(or '') notices(or ''), guidance field, value ...
 * Returns the new state and the row, or why the change was not made.
 */
export const reopenScript = `${appendEvents}${moveStatus}${setOutcome}${keepState}${notify}
local stored = redis.call('HMGET', KEYS[1], 'state', 'row', 'listed', 'paged', 'archived')
local state = stored[1]
if not state then return {'missing'} end
local status, stage, cycle, attempt, version = string.match(state, '^(%S+) (%S+) (%S+) (%S+) (%S+)')
if status == 'running' or status == 'cancelling' then return {'not_ended'} end
if version ~= ARGV[3] or stored[5] then return {'stale'} end
local was = status
version = tostring(tonumber(version) + 1)
redis.call('RPUSH', KEYS[2], version .. ' ' .. cycle .. '.' .. attempt .. ' ' .. stage .. '->' .. ARGV[4])
if ARGV[13] ~= '' then
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    local number = string.match(field, '^c:(%d+)$')
    if number and tonumber(number) > tonumber(ARGV[13]) then
      redis.call('HSET', KEYS[1], 'x:' .. number, redis.call('HGET', KEYS[1], field))
      redis.call('HDEL', KEYS[1], field)
    end
  end
end
if ARGV[14] ~= '' then redis.call('HSET', KEYS[1], 'request', ARGV[14]) end
for i = 20, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
moveStatus(ARGV[1], stored[3], status, ARGV[8])
setOutcome(ARGV[1], stored[3], ARGV[18])
status = ARGV[8]
if ARGV[5] == '' then
  redis.call('HSET', KEYS[1], 'stop', ARGV[9])
  redis.call('ZADD', KEYS[7], ARGV[11], ARGV[2])
else
  stage, cycle, attempt = ARGV[5], ARGV[6], ARGV[7]
  redis.call('HDEL', KEYS[1], 'stop')
  redis.call('ZREM', KEYS[7], ARGV[2])
  redis.call('ZADD', KEYS[5], ARGV[11], ARGV[2])
  redis.call('ZADD', KEYS[6], ARGV[12], ARGV[2])
end
state = table.concat({status, stage, cycle, attempt, version, '0', ARGV[10]}, ' ')
keepState(KEYS[1], state, ARGV[15], {})
append(ARGV[2], KEYS[3], KEYS[4], KEYS[8], was, stored[4], ARGV[11], ARGV[16], ARGV[17])
notify(ARGV[1], ARGV[2], stored[2], ARGV[11], ARGV[19])
return {'applied', state, stored[2], redis.call('HGET', KEYS[1], 'advised')}
`;

/**
 * KEYS: session events news feed
 * ARGV: id fromRevision stage cycle nowMs eventCount events, guidance field, value ...
 * The state stays as it is: a step that is under way is not disturbed.
 */
export const adviseScript = `${appendEvents}
local stored = redis.call('HMGET', KEYS[1], 'state', 'advised', 'paged')
if not stored[1] then return 'missing' end
local status, stage, cycle = string.match(stored[1], '^(%S+) (%S+) (%S+)')
if status ~= 'running' then return 'idle' end
if (stored[2] or '1') ~= ARGV[2] then return 'stale' end
if stage ~= ARGV[3] or cycle ~= ARGV[4] then return 'moved' end
for i = 8, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
append(ARGV[1], KEYS[2], KEYS[3], KEYS[4], status, stored[3], ARGV[5], ARGV[6], ARGV[7])
return 'applied'
`;

/**
 * KEYS: session transitions events news outbox due feed
 * ARGV: id fromVersion request nowIso nowMs dueAt eventCount events
 * The place stays, and the version grows: its step is taken again. Returns the new state and the row, or why the change was not made.
 */
export const prioritiseScript = `${appendEvents}
local stored = redis.call('HMGET', KEYS[1], 'state', 'row', 'advised', 'paged')
if not stored[1] then return {'missing'} end
local status, stage, cycle, attempt, version = string.match(stored[1], '^(%S+) (%S+) (%S+) (%S+) (%S+)')
if status ~= 'running' then return {'idle'} end
if version ~= ARGV[2] then return {'stale'} end
version = tostring(tonumber(version) + 1)
redis.call('RPUSH', KEYS[2], version .. ' ' .. cycle .. '.' .. attempt .. ' ' .. stage .. '->' .. stage)
local state = table.concat({status, stage, cycle, attempt, version, '0', ARGV[4]}, ' ')
redis.call('HSET', KEYS[1], 'state', state, 'request', ARGV[3])
redis.call('ZADD', KEYS[5], ARGV[5], ARGV[1])
redis.call('ZADD', KEYS[6], ARGV[6], ARGV[1])
append(ARGV[1], KEYS[3], KEYS[4], KEYS[7], status, stored[4], ARGV[5], ARGV[7], ARGV[8])
return {'applied', state, stored[2], stored[3]}
`;

/**
 * KEYS: session, index ...
 * ARGV: prefix listed state outcome(or '')
 * Files a session under its outcome and into these indexes; 0 when its state is another by now.
 */
export const fileScript = `${setOutcome}
local state = redis.call('HGET', KEYS[1], 'state')
if not state or string.sub(state, 1, #ARGV[3]) ~= ARGV[3] then return 0 end
setOutcome(ARGV[1], ARGV[2], ARGV[4])
for i = 2, #KEYS do redis.call('ZADD', KEYS[i], 0, ARGV[2]) end
return 1
`;

/** KEYS: session outbox. ARGV: id version. Nothing when the session has moved on: its outbox entry belongs to a newer version. */
export const acknowledgeScript = `
local state = redis.call('HGET', KEYS[1], 'state')
if state and string.match(state, '^%S+ %S+ %S+ %S+ (%S+)') == ARGV[2] then return redis.call('ZREM', KEYS[2], ARGV[1]) end
return 0
`;

/** KEYS: session outbox due. ARGV: id version nowMs dueAt wakeAgain(1|0). Returns 1, or 0 when the session has moved on or ended. */
export const postponeScript = `
local state = redis.call('HGET', KEYS[1], 'state')
if not state then return 0 end
local status, place, version, wakeUps, rest = string.match(state, '^(%S+) (%S+ %S+ %S+) (%S+) (%S+) (.*)$')
if version ~= ARGV[2] or (status ~= 'running' and status ~= 'cancelling') then return 0 end
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
if ARGV[5] == '1' then
  redis.call('HSET', KEYS[1], 'state', table.concat({status, place, version, tostring(tonumber(wakeUps) + 1), rest}, ' '))
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
end
return 1
`;

/** KEYS: session. ARGV: version. `failed` is `<version> <wake-up that failed last> <wake-ups in a row>`. Returns the last. */
export const countFailureScript = `
local state = redis.call('HGET', KEYS[1], 'state')
if not state then return 0 end
local status, version, wakeUps = string.match(state, '^(%S+) %S+ %S+ %S+ (%S+) (%S+)')
if version ~= ARGV[1] or (status ~= 'running' and status ~= 'cancelling') then return 0 end
local ofVersion, last, inARow = string.match(redis.call('HGET', KEYS[1], 'failed') or '', '^(%S+) (%S+) (%S+)$')
local count = 1
if ofVersion == version and last == wakeUps then return tonumber(inARow) end
if ofVersion == version and tonumber(last) + 1 == tonumber(wakeUps) then count = tonumber(inARow) + 1 end
redis.call('HSET', KEYS[1], 'failed', table.concat({version, wakeUps, tostring(count)}, ' '))
return count
`;

/**
 * KEYS: index. ARGV: until limit newScore(or '' to leave them where they are). Returns the ids up to `until`.
 * One look of a sweeper takes what it finds out of the way of the others, so that a backlog is shared and not swept by all at once,
 * and so that entries nobody can do anything with do not stand before the others for ever.
 */
export const claimScript = `
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
if ARGV[3] ~= '' then
  for _, id in ipairs(ids) do redis.call('ZADD', KEYS[1], ARGV[3], id) end
end
return ids
`;

/** KEYS: session, index ... ARGV: id. Takes a session whose record is gone off what waits; one that was made again meanwhile stays. */
export const forgetScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
for i = 2, #KEYS do redis.call('ZREM', KEYS[i], ARGV[1]) end
return 1
`;
