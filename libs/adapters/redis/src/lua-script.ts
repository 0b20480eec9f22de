import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A script, called by its hash; its text is sent if Redis does not have it. */
export class LuaScript {
  private readonly sha: string;

  constructor(private readonly text: string) {
    this.sha = createHash('sha1').update(text).digest('hex');
  }

  async run(redis: Redis, keys: readonly string[], args: readonly (string | number | Buffer)[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(this.text, keys.length, ...keys, ...args);
    }
  }
}
