import { memberAnswerSchema, type MemberAnswer } from '@fleet/contracts/access';
import { isDescribed } from '@fleet/contracts/schema';
import type { MemberAnswers } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { reachingRedis } from '../reaching-redis';

/** An invalid answer counts as missing. */
const read = (text: string): MemberAnswer | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isDescribed(memberAnswerSchema, value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Answers of the user office in Redis, with an expiry. */
export class RedisMemberAnswers implements MemberAnswers {
  private readonly at: Keys['access']['members'];

  constructor(
    private readonly redis: Redis,
    prefix: string,
  ) {
    this.at = keysOf(prefix).access.members;
  }

  find(question: string): Promise<MemberAnswer | undefined> {
    return reachingRedis(this.redis, async () => {
      const text = await this.redis.get(this.at(question));
      return text === null ? undefined : read(text);
    });
  }

  async keep(question: string, { names, requestedAt }: MemberAnswer, keepMs: number): Promise<void> {
    const text = JSON.stringify({ names, requestedAt });
    await reachingRedis(this.redis, () => this.redis.set(this.at(question), text, 'PX', keepMs));
  }
}
