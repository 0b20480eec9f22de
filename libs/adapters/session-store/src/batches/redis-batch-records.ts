import {
  sessionOutcomes,
  sessionStatuses,
  type Batch,
  type BatchFate,
  type BatchState,
  type BatchStatus,
  type Priority,
  type SessionOutcome,
  type SessionStatus,
} from '@fleet/contracts';
import type { AddedRows, BatchesPage, BatchRecords, ClaimedRows, NewRow, RowOutcome, StoredRow } from '@fleet/ports';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import type { RedisContext } from '../redis-context';
import { idOfListed } from '../session-fields';
import { together } from '../together';
import {
  batchFields,
  batchFrom,
  laterPriority,
  listedBatch,
  newRowFields,
  outcomeText,
  rowFrom,
  stateFrom,
} from './batch-fields';
import {
  addRowsScript,
  claimScript,
  completeScript,
  createBatchScript,
  holdScript,
  priorityScript,
  putOffScript,
  retireScript,
  runAgainScript,
  settleScript,
  statusScript,
} from './batches.lua';

const scripts = {
  create: new LuaScript(createBatchScript),
  claim: new LuaScript(claimScript),
  add: new LuaScript(addRowsScript),
  complete: new LuaScript(completeScript),
  putOff: new LuaScript(putOffScript),
  settle: new LuaScript(settleScript),
  status: new LuaScript(statusScript),
  priority: new LuaScript(priorityScript),
  again: new LuaScript(runAgainScript),
  hold: new LuaScript(holdScript),
  retire: new LuaScript(retireScript),
};

type Claimed = readonly [
  string,
  readonly (string | null)[],
  readonly string[],
  readonly string[],
  readonly (string | null)[],
];

/** Batches in Redis: some keys for each, and one sorted set of those that have rows to be looked at. */
export class RedisBatchRecords implements BatchRecords {
  constructor(private readonly at: RedisContext) {}

  async create(batch: Batch): Promise<'created' | 'exists'> {
    const { batches } = this.at.keys;
    const keys = [batches.batch(batch.id), batches.all, batches.ofProposal(batch.proposal)];
    const args = [JSON.stringify(batch), batch.start, batch.start === 'each' ? 1 : 0, listedBatch(batch), this.now()];
    return (await this.run(scripts.create, keys, args)) === 1 ? 'created' : 'exists';
  }

  load(id: string): Promise<BatchState | undefined> {
    return this.reach(async () =>
      stateFrom(id, await this.at.redis.hmget(this.at.keys.batches.batch(id), ...batchFields)),
    );
  }

  list({ proposal }: { readonly proposal?: string }, limit: number, cursor?: string): Promise<BatchesPage> {
    const { all, ofProposal } = this.at.keys.batches;
    const index = proposal === undefined ? all : ofProposal(proposal);
    const start = cursor === undefined ? '+' : `(${cursor}`;
    return this.reach(async () => {
      const names = await this.at.redis.zrevrangebylex(index, start, '-', 'LIMIT', 0, limit + 1);
      const shown = names.slice(0, limit);
      const states = await this.states(shown.map(idOfListed));
      const last = shown.at(-1);
      return names.length > limit && last !== undefined ? { batches: states, nextCursor: last } : { batches: states };
    });
  }

  async addRows(id: string, rows: readonly NewRow[], maxRows: number): Promise<AddedRows | undefined> {
    const args = [id, this.now(), maxRows, ...rows.flatMap(newRowFields)];
    const [added, known, left, all] = (await this.run(scripts.add, this.keys(id), args)) as readonly number[];
    if (added === undefined || known === undefined || left === undefined || all === undefined) return undefined;
    return { added, known, left, rows: all };
  }

  async complete(id: string): Promise<boolean> {
    return (await this.run(scripts.complete, this.keys(id), [id, this.now()])) === 1;
  }

  rows(id: string, after: number, limit: number): Promise<readonly StoredRow[]> {
    const numbers = Array.from({ length: limit }, (_, index) => after + index + 1);
    return this.reach(async () => {
      const stored = await this.at.redis.hmget(this.at.keys.batches.rows(id), ...numbers.map(String));
      return numbers.flatMap((row, index) => {
        const value = stored[index];
        return typeof value === 'string' ? [rowFrom(id, row, value)] : [];
      });
    });
  }

  async claim(limit: number, claimMs: number): Promise<ClaimedRows | undefined> {
    const { due } = this.at.keys.batches;
    const claimed = await this.run(scripts.claim, [due], [this.at.prefix, this.now(), limit, claimMs]);
    const [id, fields, numbers, values, contents] = claimed as Partial<Claimed>;
    if (id === undefined) return undefined;
    const [batch, status, starts, priority] = fields ?? [];
    return {
      batch: batchFrom(id, batch ?? ''),
      status: status as BatchStatus,
      starts: starts === '1',
      ...laterPriority(priority),
      rows: (numbers ?? []).map((row, index) => {
        const content = contents?.[index];
        return { ...rowFrom(id, Number(row), values?.[index] ?? ''), ...(typeof content === 'string' && { content }) };
      }),
    };
  }

  async settle(id: string, { row, run }: Pick<StoredRow, 'row' | 'run'>, outcome: RowOutcome): Promise<boolean> {
    const args = [id, this.now(), row, run, outcome.verdict, outcomeText(outcome)];
    return (await this.run(scripts.settle, this.keys(id), args)) === 1;
  }

  async finish(id: string, rows: readonly number[]): Promise<void> {
    if (rows.length === 0) return;
    await this.reach(() => this.at.redis.zrem(this.at.keys.batches.dueRows(id), ...rows));
  }

  async putOff(id: string, rows: readonly number[], inMs: number): Promise<void> {
    await this.run(scripts.putOff, this.keys(id), [id, this.now() + inMs, ...rows]);
  }

  async setStatus(id: string, status: BatchStatus): Promise<BatchStatus | 'missing'> {
    return (await this.run(scripts.status, this.keys(id), [id, this.now(), status])) as BatchStatus | 'missing';
  }

  async setPriority(id: string, priority: Priority): Promise<'set' | 'cancelled' | 'missing'> {
    const answer = await this.run(scripts.priority, this.keys(id), [priority]);
    return answer as 'set' | 'cancelled' | 'missing';
  }

  async runAgain(id: string, rows: readonly Pick<StoredRow, 'row' | 'run'>[]): Promise<number> {
    const args = [id, this.now(), this.at.prefix, ...rows.flatMap(({ row, run }) => [row, run])];
    return (await this.run(scripts.again, [...this.keys(id), this.at.keys.ofBatch(id)], args)) as number;
  }

  async retire(
    { batch, changedAt }: Pick<BatchState, 'batch' | 'changedAt'>,
    fate: Exclude<BatchFate, 'stays'>,
  ): Promise<'retired' | 'stale'> {
    const { all, ofProposal } = this.at.keys.batches;
    const keys = [...this.keys(batch.id), all, ofProposal(batch.proposal)];
    const retired = await this.run(scripts.retire, keys, [batch.id, changedAt, listedBatch(batch), fate]);
    return retired === 1 ? 'retired' : 'stale';
  }

  async holdContent(digest: string, session: string, ms: number): Promise<boolean> {
    return (await this.run(scripts.hold, [this.at.keys.batches.held(digest)], [session, ms])) === 1;
  }

  sessions(id: string): Promise<Readonly<Record<SessionStatus, number>>> {
    return this.counted(id, sessionStatuses, this.at.keys.ofStatus);
  }

  outcomes(id: string): Promise<Readonly<Record<SessionOutcome, number>>> {
    return this.counted(id, sessionOutcomes, this.at.keys.ofOutcome);
  }

  /** Its sessions in each of these groups. */
  private counted<Name extends string>(
    id: string,
    names: readonly Name[],
    indexOf: (name: Name) => string,
  ): Promise<Readonly<Record<Name, number>>> {
    return this.reach(async () => {
      const counting = this.at.redis.pipeline();
      for (const name of names) counting.zintercard(2, this.at.keys.ofBatch(id), indexOf(name));
      const counts = await together<number[]>(counting);
      return Object.fromEntries(names.map((name, index) => [name, counts[index] ?? 0])) as Record<Name, number>;
    });
  }

  private async states(ids: readonly string[]): Promise<readonly BatchState[]> {
    if (ids.length === 0) return [];
    const reading = this.at.redis.pipeline();
    for (const id of ids) reading.hmget(this.at.keys.batches.batch(id), ...batchFields);
    const all = await together<(readonly (string | null)[])[]>(reading);
    return ids.flatMap((id, index) => stateFrom(id, all[index] ?? []) ?? []);
  }

  private keys(id: string): readonly string[] {
    const { batch, rows, contents, digests, dueRows, due } = this.at.keys.batches;
    return [batch(id), rows(id), contents(id), digests(id), dueRows(id), due];
  }

  /** All machines at this Redis share this clock. */
  private now(): number {
    return this.at.deadlines.now();
  }

  private run(script: LuaScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.reach(() => script.run(this.at.redis, keys, args));
  }

  private reach<T>(act: () => Promise<T>): Promise<T> {
    return reachingRedis(this.at.redis, act);
  }
}
