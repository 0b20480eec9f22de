import type { SessionHead } from '@fleet/contracts';
import type { Redis } from 'ioredis';
import type { Keys } from './keys';
import { LuaScript } from './lua-script';
import type { ReadableRecords } from './readable-records';
import { claimScript, forgetScript } from './scripts.lua';
import { headFrom } from './session-fields';

const claim = new LuaScript(claimScript);
const forget = new LuaScript(forgetScript);

/** The heads of sessions that stand in the outbox or wait for their deadline, by the time that stands there. */
export class WaitingHeads {
  constructor(
    private readonly redis: Redis,
    private readonly keys: Pick<Keys, 'session' | 'outbox' | 'due'>,
    private readonly records: ReadableRecords,
  ) {}

  /**
   * Those up to a time, in milliseconds.
   * @param claimedUntil the time that is written instead; absent: none
   */
  async upTo(index: string, until: number, limit: number, claimedUntil?: number): Promise<readonly SessionHead[]> {
    const ids = (await claim.run(this.redis, [index], [until, limit, claimedUntil ?? ''])) as string[];
    const heads = await this.records.of(ids, headFrom);
    await Promise.all(ids.filter((_, position) => heads[position] === 'missing').map((id) => this.forget(id)));
    return heads.filter((head) => typeof head !== 'string');
  }

  private async forget(id: string): Promise<void> {
    const { session, outbox, due } = this.keys;
    await forget.run(this.redis, [session(id), outbox, due], [id]);
  }
}
