import { launchesAt, maintenancePhase, type LaunchState, type MaintenanceWindow } from '@fleet/contracts';
import { asSaid, type Clock, isoTime, type LaunchControl, neverSaid, systemClock, windowsAhead } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';

/** Of a window that is there, and of no other: whoever cancels one has cancelled it. */
const changed = new LuaScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
`);

/** One key for an administrator's word, of which the last counts, and one for the windows, by their ids. */
export class RedisLaunchControl implements LaunchControl {
  private readonly key: string;
  private readonly windowsKey: string;

  constructor(
    private readonly redis: Redis,
    prefix: string,
    private readonly clock: Clock = systemClock,
  ) {
    ({ launches: this.key, maintenance: this.windowsKey } = keysOf(prefix));
  }

  async read(): Promise<LaunchState> {
    const [said, windows] = await Promise.all([this.said(), this.windows()]);
    return launchesAt(said, windows, this.clock.now());
  }

  said(): Promise<LaunchState> {
    return reachingRedis(this.redis, async () => {
      const text = await this.redis.get(this.key);
      return text === null ? neverSaid : (JSON.parse(text) as LaunchState);
    });
  }

  async set(said: Omit<LaunchState, 'since' | 'maintenance'>): Promise<LaunchState> {
    const state = asSaid(said, await this.said(), isoTime(this.clock));
    await reachingRedis(this.redis, () => this.redis.set(this.key, JSON.stringify(state)));
    return state;
  }

  async windows(): Promise<readonly MaintenanceWindow[]> {
    return windowsAhead(await this.kept(), this.clock.now());
  }

  async announce(window: MaintenanceWindow): Promise<void> {
    const now = this.clock.now();
    const over = (await this.kept()).filter((one) => maintenancePhase(one, now) === 'over').map(({ id }) => id);
    await reachingRedis(this.redis, async () => {
      await this.redis.hset(this.windowsKey, window.id, JSON.stringify(window));
      if (over.length > 0) await this.redis.hdel(this.windowsKey, ...over);
    });
  }

  async change(window: MaintenanceWindow): Promise<boolean> {
    const args = [window.id, JSON.stringify(window)];
    return (await reachingRedis(this.redis, () => changed.run(this.redis, [this.windowsKey], args))) === 1;
  }

  async cancel(id: string): Promise<boolean> {
    return (await reachingRedis(this.redis, () => this.redis.hdel(this.windowsKey, id))) === 1;
  }

  private kept(): Promise<readonly MaintenanceWindow[]> {
    return reachingRedis(this.redis, async () =>
      (await this.redis.hvals(this.windowsKey)).map((text) => JSON.parse(text) as MaintenanceWindow),
    );
  }
}
