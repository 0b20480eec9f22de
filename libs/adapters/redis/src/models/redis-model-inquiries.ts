import type { JsonValue } from '@fleet/contracts/sessions';
import type { StoredReply, ModelInquiries, ModelInquiry } from '@fleet/ports';
import type { Redis } from 'ioredis';
import { keysOf, type Keys } from '../keys';
import { LuaScript } from '../lua-script';
import { reachingRedis } from '../reaching-redis';
import { answerScript, answerToScript, askScript, isWantedScript, takeScript } from './inquiries.lua';
import { answeredMs, repliedMs, waitedMs } from './inquiry-times';

const scripts = {
  ask: new LuaScript(askScript),
  answerTo: new LuaScript(answerToScript),
  take: new LuaScript(takeScript),
  isWanted: new LuaScript(isWantedScript),
  answer: new LuaScript(answerScript),
};

/** JSON that processes of this service have written. */
const parsed = (stored: unknown): unknown => (typeof stored === 'string' ? (JSON.parse(stored) as unknown) : undefined);

/** Model requests and their answers in Redis. */
export class RedisModelInquiries implements ModelInquiries {
  private readonly keys: Keys['models'];

  constructor(
    private readonly redis: Redis,
    prefix: string,
  ) {
    this.keys = keysOf(prefix).models;
  }

  async providers(): Promise<readonly string[]> {
    const stored = await this.reach(() => this.redis.get(this.keys.providers));
    return (parsed(stored) as readonly string[] | undefined) ?? [];
  }

  async offer(providers: readonly string[], forMs: number): Promise<void> {
    await this.reach(() => this.redis.set(this.keys.providers, JSON.stringify(providers), 'PX', forMs));
  }

  async ask(inquiry: ModelInquiry): Promise<void> {
    const keys = [this.keys.dueInquiries, this.inquiry(inquiry.id)];
    await this.run(scripts.ask, keys, [inquiry.id, JSON.stringify(inquiry), waitedMs]);
  }

  async answerTo(id: string): Promise<JsonValue | undefined> {
    const stored = await this.run(scripts.answerTo, [this.inquiry(id), this.answerOf(id)], [waitedMs]);
    return parsed(stored) as JsonValue | undefined;
  }

  async withdraw(id: string): Promise<void> {
    await this.reach(() => this.redis.del(this.inquiry(id)));
  }

  async take(leaseMs: number): Promise<ModelInquiry | undefined> {
    const stored = await this.run(scripts.take, [this.keys.dueInquiries], [leaseMs, this.keys.inquiries]);
    return parsed(stored) as ModelInquiry | undefined;
  }

  async isWanted(id: string, leaseMs: number): Promise<boolean> {
    return (await this.run(scripts.isWanted, [this.keys.dueInquiries, this.inquiry(id)], [id, leaseMs])) === 1;
  }

  async answer(id: string, answer: JsonValue): Promise<void> {
    const keys = [this.keys.dueInquiries, this.inquiry(id), this.answerOf(id)];
    await this.run(scripts.answer, keys, [id, JSON.stringify(answer), answeredMs]);
  }

  async reply(provider: string, hash: string): Promise<StoredReply | undefined> {
    const stored = await this.reach(() => this.redis.get(this.keys.reply(provider, hash)));
    return parsed(stored) as StoredReply | undefined;
  }

  async keepReply(provider: string, hash: string, reply: StoredReply): Promise<void> {
    await this.reach(() => this.redis.set(this.keys.reply(provider, hash), JSON.stringify(reply), 'PX', repliedMs));
  }

  private inquiry(id: string): string {
    return `${this.keys.inquiries}${id}`;
  }

  private answerOf(id: string): string {
    return `${this.inquiry(id)}:answer`;
  }

  private reach<T>(call: () => Promise<T>): Promise<T> {
    return reachingRedis(this.redis, call);
  }

  private run(script: LuaScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.reach(() => script.run(this.redis, keys, args));
  }
}
