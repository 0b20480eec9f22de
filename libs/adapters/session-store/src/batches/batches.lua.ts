import { checkedBatchMs } from '@fleet/contracts';
import { noticeBatch } from '../webhooks/notices.lua';

/**
 * The writes of batches, each one script and so atomic.
 *
 * A batch is a hash (`batch`: what never changes of it, as JSON; `start`, `status`, `complete`, `starts`, `rows`, `changed`: when it changed last, in milliseconds,
 * `priority` where one was given later, `archived` where the contents and digests of so many rows are gone, and `n:<verdict>`, how many rows have it) with hashes of its rows by number: what has become of one is `<verdict> <run> <digest> <line> <JSON>`.
 * KEYS of all scripts but the first two and the last: batch rows contents digests dueRows, due.
 */

/** Notes when a batch has changed; from then on one that only checks is kept for its time. */
const change = `
local function change(now)
  redis.call('HSET', KEYS[1], 'changed', now)
  if redis.call('HGET', KEYS[1], 'start') ~= 'never' then return end
  for i = 1, 5 do redis.call('PEXPIRE', KEYS[i], ${String(checkedBatchMs)}) end
end
`;

/** Of a batch by its own key. */
const mayHaveEnded = `${noticeBatch}
local function mayHaveEnded(id, now) noticeBatch(string.sub(KEYS[1], 1, -4 - #id), id, now) end
`;

/** A batch that is paused has rows that are due, and is not looked at. */
const wake = `
local function wake(id, now)
  if redis.call('HGET', KEYS[1], 'status') ~= 'paused' then redis.call('ZADD', KEYS[6], 'LT', now, id) end
end
`;

const dueAgain = `
local function dueAgain(now)
  local rows = tonumber(redis.call('HGET', KEYS[1], 'rows'))
  for row = 1, rows do redis.call('ZADD', KEYS[5], now, row) end
end
`;

/** Rows that start together do so when all are there and all right. */
const startTogether = `${dueAgain}
local function startTogether(id, now)
  local b = redis.call('HMGET', KEYS[1], 'start', 'complete', 'starts', 'n:waiting', 'n:rejected')
  if b[1] ~= 'together' or b[2] ~= '1' or b[3] == '1' then return end
  if tonumber(b[4] or '0') > 0 or tonumber(b[5] or '0') > 0 then return end
  redis.call('HSET', KEYS[1], 'starts', '1')
  dueAgain(now)
  wake(id, now)
end
`;

/** Gives a row another verdict. */
const turn = `
local function turn(row, from, to, run, digest, line, outcome)
  redis.call('HSET', KEYS[2], row, table.concat({to, run, digest, line, outcome}, ' '))
  redis.call('HINCRBY', KEYS[1], 'n:' .. from, -1)
  redis.call('HINCRBY', KEYS[1], 'n:' .. to, 1)
end
`;

/** What is stored of a row. */
const parts = `
local function parts(row)
  local stored = redis.call('HGET', KEYS[2], row)
  if not stored then return nil end
  return string.match(stored, '^(%S+) (%S+) (%S+) (%S+) (.*)$')
end
`;

/** KEYS: batch all ofProposal. ARGV: batch(JSON) start starts(1|0) listed nowMs */
export const createBatchScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'batch', ARGV[1], 'start', ARGV[2], 'starts', ARGV[3], 'status', 'open', 'complete', '0', 'rows', '0', 'changed', ARGV[5])
if ARGV[2] == 'never' then
  redis.call('PEXPIRE', KEYS[1], ${String(checkedBatchMs)})
else
  redis.call('ZADD', KEYS[2], 0, ARGV[4])
  redis.call('ZADD', KEYS[3], 0, ARGV[4])
end
return 1
`;

/**
 * KEYS: due. ARGV: prefix nowMs limit claimMs.
 * Returns the id, the fields of its batch, and of each row its number, what has become of it, and what it says.
 */
export const claimScript = `
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[2], 'LIMIT', 0, 20)) do
  local batch = ARGV[1] .. ':b:' .. id
  if redis.call('EXISTS', batch) == 0 then redis.call('DEL', batch .. ':due') end
  local rows = redis.call('ZRANGEBYSCORE', batch .. ':due', '-inf', ARGV[2], 'LIMIT', 0, ARGV[3])
  if #rows > 0 then
    for _, row in ipairs(rows) do redis.call('ZADD', batch .. ':due', ARGV[2] + ARGV[4], row) end
    redis.call('ZADD', KEYS[1], ARGV[2], id)
    local fields = redis.call('HMGET', batch, 'batch', 'status', 'starts', 'priority')
    return {id, fields, rows, redis.call('HMGET', batch .. ':rows', unpack(rows)), redis.call('HMGET', batch .. ':contents', unpack(rows))}
  end
  local first = redis.call('ZRANGE', batch .. ':due', 0, 0, 'WITHSCORES')
  if first[2] then redis.call('ZADD', KEYS[1], first[2], id) else redis.call('ZREM', KEYS[1], id) end
end
return {}
`;

/** ARGV: id nowMs maxRows, digest verdict value content(or '') ... Returns how many were added, were known, found no place, and are there. */
export const addRowsScript = `${change}${wake}${parts}
local rows = tonumber(redis.call('HGET', KEYS[1], 'rows'))
if not rows then return {} end
if rows > 0 and redis.call('EXISTS', KEYS[4]) == 0 then
  for row = 1, rows do
    local _, _, digest = parts(row)
    redis.call('HSET', KEYS[4], digest, row)
  end
end
local before, known, left = rows, 0, 0
for i = 4, #ARGV, 4 do
  if redis.call('HEXISTS', KEYS[4], ARGV[i]) == 1 then
    known = known + 1
  elseif rows >= tonumber(ARGV[3]) then
    left = left + 1
  else
    rows = rows + 1
    redis.call('HSET', KEYS[4], ARGV[i], rows)
    redis.call('HSET', KEYS[2], rows, ARGV[i + 2])
    redis.call('HINCRBY', KEYS[1], 'n:' .. ARGV[i + 1], 1)
    if ARGV[i + 3] ~= '' then redis.call('HSET', KEYS[3], rows, ARGV[i + 3]) end
    if ARGV[i + 1] == 'waiting' then redis.call('ZADD', KEYS[5], ARGV[2], rows) end
  end
end
redis.call('HSET', KEYS[1], 'rows', rows)
change(ARGV[2])
if rows > before then wake(ARGV[1], ARGV[2]) end
return {rows - before, known, left, rows}
`;

/** ARGV: id nowMs. Returns 1, or 0 when there is no such batch. */
export const completeScript = `${change}${wake}${startTogether}${mayHaveEnded}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'complete', '1')
change(ARGV[2])
startTogether(ARGV[1], ARGV[2])
mayHaveEnded(ARGV[1], ARGV[2])
return 1
`;

/**
 * ARGV: id nowMs row run verdict outcome(JSON). Returns 1, or 0 when nothing changed.
 * A session that was started while its batch was cancelled is one: the row says so, and is due to be cancelled.
 */
export const settleScript = `${change}${wake}${startTogether}${parts}${turn}${mayHaveEnded}
local from, run, digest, line = parts(ARGV[3])
local open = from == 'waiting' or from == 'checked' or (from == 'cancelled' and ARGV[5] == 'accepted')
if not open or run ~= ARGV[4] then return 0 end
turn(ARGV[3], from, ARGV[5], run, digest, line, ARGV[6])
change(ARGV[2])
local b = redis.call('HMGET', KEYS[1], 'status', 'starts')
local more = (ARGV[5] == 'accepted' and b[1] == 'cancelled') or (ARGV[5] == 'checked' and (b[2] == '1' or b[1] == 'cancelled'))
if more then redis.call('ZADD', KEYS[5], ARGV[2], ARGV[3]) else redis.call('ZREM', KEYS[5], ARGV[3]) end
startTogether(ARGV[1], ARGV[2])
mayHaveEnded(ARGV[1], ARGV[2])
if more then wake(ARGV[1], ARGV[2]) end
return 1
`;

/** ARGV: id dueAtMs, row ... Rows that are due no more stay so. */
export const putOffScript = `${wake}
for i = 3, #ARGV do redis.call('ZADD', KEYS[5], 'XX', ARGV[2], ARGV[i]) end
wake(ARGV[1], ARGV[2])
return ''
`;

/** ARGV: id nowMs status. Returns the status from now on. */
export const statusScript = `${change}${dueAgain}${wake}
local status = redis.call('HGET', KEYS[1], 'status')
if not status then return 'missing' end
if status == ARGV[3] or status == 'cancelled' then return status end
redis.call('HSET', KEYS[1], 'status', ARGV[3])
if ARGV[3] == 'paused' then redis.call('ZREM', KEYS[6], ARGV[1]) end
if ARGV[3] == 'cancelled' then dueAgain(ARGV[2]) end
change(ARGV[2])
wake(ARGV[1], ARGV[2])
return ARGV[3]
`;

/** ARGV: priority. */
export const priorityScript = `
local status = redis.call('HGET', KEYS[1], 'status')
if not status then return 'missing' end
if status == 'cancelled' then return status end
redis.call('HSET', KEYS[1], 'priority', ARGV[1])
return 'set'
`;

/**
 * KEYS: …, ofBatch. ARGV: id nowMs prefix, row run ... Returns how many wait again. A row that could not be read says nothing that could be run;
 * the session of the run before is no more one of the batch.
 */
export const runAgainScript = `${change}${wake}${parts}${turn}
local again = 0
for i = 4, #ARGV, 2 do
  local from, run, digest, line, outcome = parts(ARGV[i])
  if from and run == ARGV[i + 1] and from ~= 'waiting' and redis.call('HEXISTS', KEYS[3], ARGV[i]) == 1 then
    local session = cjson.decode(outcome).session
    local listed = session and redis.call('HGET', ARGV[3] .. ':s:' .. session, 'listed')
    if listed then redis.call('ZREM', KEYS[7], listed) end
    turn(ARGV[i], from, 'waiting', string.format('%d', run + 1), digest, line, '{}')
    redis.call('ZADD', KEYS[5], ARGV[2], ARGV[i])
    again = again + 1
  end
end
if again > 0 then
  change(ARGV[2])
  wake(ARGV[1], ARGV[2])
end
return again
`;

/** KEYS: held. ARGV: session ms. Returns 1, or 0 where another holds it. */
export const holdScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

/**
 * KEYS: …, all ofProposal. ARGV: id changed listed fate(leaves|goes). Returns 1, or 0 where it has changed since. What has become of the rows says
 * their digests, too, should more rows come.
 */
export const retireScript = `
local b = redis.call('HMGET', KEYS[1], 'changed', 'rows')
if b[1] ~= ARGV[2] then return 0 end
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
redis.call('ZREM', KEYS[6], ARGV[1])
if ARGV[4] == 'leaves' then
  redis.call('HSET', KEYS[1], 'archived', b[2])
  return 1
end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[7], ARGV[3])
redis.call('ZREM', KEYS[8], ARGV[3])
return 1
`;
