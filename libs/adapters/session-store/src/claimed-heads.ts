import type { SessionHead } from '@fleet/contracts';
import { LuaScript } from './lua-script';
import { reachingRedis } from './reaching-redis';
import type { ReadableRecords } from './readable-records';
import type { RedisContext } from './redis-context';
import { claimScript, forgetScript } from './scripts.lua';
import { headFrom } from './session-fields';

const claim = new LuaScript(claimScript);
const forget = new LuaScript(forgetScript);

/** The heads of sessions that stand in an index by a time: the outbox, the deadlines, the ends. */
export class ClaimedHeads {
  constructor(
    private readonly at: RedisContext,
    private readonly records: ReadableRecords,
  ) {}

  /**
   * Those up to a time, in milliseconds.
   * @param claimMs nobody is told of them again for so long; 0: they are only read
   */
  upTo(index: string, until: number, limit: number, claimMs: number): Promise<readonly SessionHead[]> {
    const claimedUntil = claimMs === 0 ? '' : until + claimMs;
    return reachingRedis(this.at.redis, async () => {
      const ids = (await claim.run(this.at.redis, [index], [until, limit, claimedUntil])) as string[];
      const heads = await this.records.of(ids, headFrom);
      await Promise.all(ids.filter((_, position) => heads[position] === 'missing').map((id) => this.forget(id)));
      return heads.filter((head) => typeof head !== 'string');
    });
  }

  private async forget(id: string): Promise<void> {
    const { session, outbox, due, ended } = this.at.keys;
    await forget.run(this.at.redis, [session(id), outbox, due, ended], [id]);
  }
}
