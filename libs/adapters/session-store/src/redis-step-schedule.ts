import type { SessionHead } from '@fleet/contracts';
import type { StepSchedule } from '@fleet/ports';
import type { ClaimedHeads } from './claimed-heads';
import { LuaScript } from './lua-script';
import { reachingRedis } from './reaching-redis';
import type { RedisContext } from './redis-context';
import { acknowledgeScript, countFailureScript, postponeScript } from './scripts.lua';
import { headFields, headFrom } from './session-fields';

const scripts = {
  acknowledge: new LuaScript(acknowledgeScript),
  postpone: new LuaScript(postponeScript),
  countFailure: new LuaScript(countFailureScript),
};

/** Two sorted sets of ids, the outbox and the deadlines, by the time that stands there; failures lie in the records. */
export class RedisStepSchedule implements StepSchedule {
  constructor(
    private readonly at: RedisContext,
    private readonly heads: ClaimedHeads,
  ) {}

  unacknowledged(olderThanMs: number, limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return this.heads.upTo(this.at.keys.outbox, this.at.deadlines.now() - olderThanMs, limit, claimMs);
  }

  async acknowledge(id: string, version: number): Promise<void> {
    const { session, outbox } = this.at.keys;
    await this.reach(() => scripts.acknowledge.run(this.at.redis, [session(id), outbox], [id, version]));
  }

  overdue(limit: number, claimMs = 0): Promise<readonly SessionHead[]> {
    return this.heads.upTo(this.at.keys.due, this.at.deadlines.now(), limit, claimMs);
  }

  postpone(id: string, version: number, dueInMs: number, wakeAgain: boolean): Promise<SessionHead | undefined> {
    const { redis, deadlines, keys } = this.at;
    const now = deadlines.now();
    const args = [id, version, now, now + dueInMs, wakeAgain ? 1 : 0];
    return this.reach(async () => {
      const moved = await scripts.postpone.run(redis, [keys.session(id), keys.outbox, keys.due], args);
      if (moved !== 1) return undefined;
      const head = headFrom(id, await redis.hmget(keys.session(id), ...headFields));
      return head?.version === version ? head : undefined;
    });
  }

  countFailure(id: string, version: number): Promise<number> {
    const { redis, keys } = this.at;
    return this.reach(async () => (await scripts.countFailure.run(redis, [keys.session(id)], [version])) as number);
  }

  private reach<T>(act: () => Promise<T>): Promise<T> {
    return reachingRedis(this.at.redis, act);
  }
}
