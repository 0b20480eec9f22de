import type { SessionHead, StoredEvent } from '@fleet/contracts';
import type { ArchiveProof, SessionArchive, WholeSession } from '@fleet/ports';
import type { ClaimedHeads } from '../claimed-heads';
import { LuaScript } from '../lua-script';
import { packedRecord } from '../packing/cycle-page';
import { packedEvents } from '../packing/event-batch';
import { pack } from '../packing/pack';
import { reachingRedis } from '../reaching-redis';
import type { RedisContext } from '../redis-context';
import { historyOf, storedHistory } from '../redis-session-events';
import {
  archivedField,
  cycleField,
  guidanceFields,
  headFields,
  headFrom,
  listedField,
  rowFields,
  sessionFrom,
} from '../session-fields';
import { together } from '../together';
import { leaveRowScript, putBackScript } from './archive.lua';

const leaveRow = new LuaScript(leaveRowScript);
const putBack = new LuaScript(putBackScript);

/** Sessions leave Redis by one script, down to the fields of their rows, and come back by another. */
export class RedisSessionArchive implements SessionArchive {
  constructor(
    private readonly at: RedisContext,
    private readonly heads: ClaimedHeads,
  ) {}

  endedFor(ms: number, limit: number, claimMs: number): Promise<readonly SessionHead[]> {
    return this.heads.upTo(this.at.keys.ended, this.at.deadlines.now() - ms, limit, claimMs);
  }

  async hasWhole(ids: readonly string[]): Promise<boolean> {
    const { redis, keys } = this.at;
    return reachingRedis(redis, async () => {
      const reading = redis.pipeline();
      for (const id of ids) reading.hmget(keys.session(id), 'state', archivedField);
      const all = await together<(readonly (string | null)[])[]>(reading);
      return all.some(([state, archived]) => typeof state === 'string' && typeof archived !== 'string');
    });
  }

  async whole(id: string): Promise<WholeSession | undefined> {
    const stored = await storedHistory(this.at, id);
    const session = sessionFrom(id, stored[0]);
    return session === undefined ? undefined : { session, ...historyOf(id, stored) };
  }

  async leaveRow(id: string, proof: ArchiveProof): Promise<'left' | 'stale'> {
    const args = [id, proof.version, JSON.stringify(proof), ...rowFields, listedField];
    const left = await reachingRedis(this.at.redis, () => leaveRow.run(this.at.redis, this.keysOf(id), args));
    return left === 1 ? 'left' : 'stale';
  }

  async archived(id: string): Promise<{ readonly head: SessionHead; readonly proof: ArchiveProof } | undefined> {
    const { redis, keys } = this.at;
    const [proof, ...values] = await reachingRedis(redis, () =>
      redis.hmget(keys.session(id), archivedField, ...headFields),
    );
    const head = headFrom(id, values);
    if (head === undefined || typeof proof !== 'string') return undefined;
    return { head, proof: JSON.parse(proof) as ArchiveProof };
  }

  async putBack({ session, events, transitions }: WholeSession): Promise<'back' | 'stale'> {
    const { id, version, request, guidance, cycles, stop } = session;
    const fields: readonly (string | Buffer)[] = [
      'request',
      pack(JSON.stringify(request)),
      ...(guidance === undefined ? [] : guidanceFields(guidance).flat()),
      ...(stop === undefined ? [] : ['stop', JSON.stringify(stop)]),
      ...cycles.flatMap((record) => [cycleField(record.cycle), packedRecord(record)]),
    ];
    const args = [
      id,
      version,
      this.at.deadlines.now(),
      fields.length / 2,
      transitions.length,
      ...fields,
      ...transitions,
      ...events.flatMap(entryOf),
    ];
    const back = await reachingRedis(this.at.redis, () => putBack.run(this.at.redis, this.keysOf(id), args));
    return back === 1 ? 'back' : 'stale';
  }

  private keysOf(id: string): readonly string[] {
    const { session, transitions, events, ended, models } = this.at.keys;
    return [session(id), transitions(id), events(id), ended, models.ledger(id)];
  }
}

const entryOf = ({ id, ...event }: StoredEvent): readonly (string | Buffer)[] => [id, packedEvents([event])];
