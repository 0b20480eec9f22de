import type { CheckupView, Finding, Trial } from '@fleet/contracts/administration';
import { trialWaitsMs, type SiteLooks, type WantedTrial } from '@fleet/ports';
import { lookStaysMs, trialOf } from './trial-fields';

/** In-memory findings of executors, for tests. */
export class MemorySiteLooks implements SiteLooks {
  private seen: { readonly look: CheckupView; readonly at: number } | undefined;
  private fields = new Map<string, string>();

  constructor(private readonly now: () => number = Date.now) {}

  publish(look: CheckupView): Promise<void> {
    this.seen = { look, at: this.now() };
    return Promise.resolve();
  }

  look(): Promise<CheckupView | undefined> {
    const { seen } = this;
    return Promise.resolve(seen !== undefined && this.now() < seen.at + lookStaysMs ? seen.look : undefined);
  }

  askTrial(id: string, by: string): Promise<Trial> {
    if (!this.isOpen()) {
      this.fields = new Map([
        ['id', id],
        ['by', by],
        ['asked', String(this.now())],
      ]);
    }
    const trial = trialOf(this.fields, this.now());
    return trial === undefined ? Promise.reject(new Error('unreachable')) : Promise.resolve(trial);
  }

  trial(): Promise<Trial | undefined> {
    return Promise.resolve(trialOf(this.fields, this.now()));
  }

  takeTrial(executor: string, leaseMs: number): Promise<WantedTrial | undefined> {
    if (!this.isOpen() || Number(this.fields.get('until') ?? 0) > this.now()) return Promise.resolve(undefined);
    this.fields.set('executor', executor).set('until', String(this.now() + leaseMs));
    return Promise.resolve({ id: this.fields.get('id') ?? '' });
  }

  keepTrial({ id }: WantedTrial, executor: string, leaseMs: number): Promise<boolean> {
    const isIts = this.isOpen() && this.fields.get('id') === id && this.fields.get('executor') === executor;
    if (isIts) this.fields.set('until', String(this.now() + leaseMs));
    return Promise.resolve(isIts);
  }

  endTrial({ id }: WantedTrial, findings: readonly Finding[]): Promise<void> {
    if (this.isOpen() && this.fields.get('id') === id) {
      this.fields.set('ended', String(this.now())).set('findings', JSON.stringify(findings));
      this.fields.delete('until');
    }
    return Promise.resolve();
  }

  private isOpen(): boolean {
    const { fields } = this;
    return fields.has('id') && !fields.has('ended') && Number(fields.get('asked')) + trialWaitsMs > this.now();
  }
}
