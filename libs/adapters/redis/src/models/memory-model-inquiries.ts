import type { JsonValue } from '@fleet/contracts';
import type { KeptReply, ModelInquiries, ModelInquiry } from '@fleet/ports';
import { answeredMs, repliedMs, waitedMs } from './inquiry-times';

/** What lapses. */
interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

/** Questions for models in memory, for tests. */
export class MemoryModelInquiries implements ModelInquiries {
  private readonly asked = new Map<string, Kept<ModelInquiry>>();
  private readonly due = new Map<string, number>();
  private readonly answers = new Map<string, Kept<JsonValue>>();
  private readonly replies = new Map<string, Kept<KeptReply>>();
  private offered: Kept<readonly string[]> = { value: [], until: 0 };

  constructor(private readonly now: () => number = Date.now) {}

  providers(): Promise<readonly string[]> {
    return Promise.resolve(this.offered.until > this.now() ? this.offered.value : []);
  }

  offer(value: readonly string[], forMs: number): Promise<void> {
    this.offered = { value, until: this.now() + forMs };
    return Promise.resolve();
  }

  ask(value: ModelInquiry): Promise<void> {
    this.asked.set(value.id, { value, until: this.now() + waitedMs });
    this.due.set(value.id, this.now());
    return Promise.resolve();
  }

  answerTo(id: string): Promise<JsonValue | undefined> {
    const inquiry = this.found(this.asked, id);
    if (inquiry !== undefined) this.asked.set(id, { value: inquiry, until: this.now() + waitedMs });
    return Promise.resolve(this.found(this.answers, id));
  }

  withdraw(id: string): Promise<void> {
    this.asked.delete(id);
    return Promise.resolve();
  }

  take(leaseMs: number): Promise<ModelInquiry | undefined> {
    const waiting = [...this.due].filter(([id, at]) => at <= this.now() && this.found(this.asked, id) !== undefined);
    const [id] = waiting.sort(([, one], [, other]) => one - other)[0] ?? [];
    if (id === undefined) return Promise.resolve(undefined);
    this.due.set(id, this.now() + leaseMs);
    return Promise.resolve(this.found(this.asked, id));
  }

  isWanted(id: string, leaseMs: number): Promise<boolean> {
    const wanted = this.found(this.asked, id) !== undefined;
    if (wanted) this.due.set(id, this.now() + leaseMs);
    return Promise.resolve(wanted);
  }

  answer(id: string, value: JsonValue): Promise<void> {
    this.due.delete(id);
    if (this.found(this.asked, id) !== undefined) this.answers.set(id, { value, until: this.now() + answeredMs });
    this.asked.delete(id);
    return Promise.resolve();
  }

  reply(provider: string, hash: string): Promise<KeptReply | undefined> {
    return Promise.resolve(this.found(this.replies, `${provider} ${hash}`));
  }

  keepReply(provider: string, hash: string, value: KeptReply): Promise<void> {
    this.replies.set(`${provider} ${hash}`, { value, until: this.now() + repliedMs });
    return Promise.resolve();
  }

  private found<T>(kept: ReadonlyMap<string, Kept<T>>, id: string): T | undefined {
    const one = kept.get(id);
    return one !== undefined && one.until > this.now() ? one.value : undefined;
  }
}
