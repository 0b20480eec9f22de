import type { ModelBreaker, TargetSign } from '@fleet/ports';
import { firstRestMs, longestRestMs, troublesUntilRest } from './breaker-times';

interface Trouble {
  readonly troubles: number;
  readonly rests: number;
  readonly restsUntil: number;
  readonly isTried: boolean;
}

const none: Trouble = { troubles: 0, rests: 0, restsUntil: 0, isTried: false };

/** In-memory state of failing targets, for tests. */
export class MemoryModelBreaker implements ModelBreaker {
  private readonly targets = new Map<string, Trouble>();

  constructor(private readonly now: () => number = Date.now) {}

  admit(target: string): Promise<boolean> {
    const known = this.targets.get(target) ?? none;
    if (known.restsUntil > this.now() || known.isTried) return Promise.resolve(false);
    if (known.rests > 0) this.targets.set(target, { ...known, isTried: true });
    return Promise.resolve(true);
  }

  report(target: string, sign: TargetSign, restMs = 0): Promise<void> {
    const known = { ...(this.targets.get(target) ?? none), isTried: false };
    if (sign === 'works') this.targets.delete(target);
    else this.targets.set(target, sign === 'unknown' ? known : this.worse(known, sign, restMs));
    return Promise.resolve();
  }

  private worse(known: Trouble, sign: 'trouble' | 'down', restMs: number): Trouble {
    if (known.restsUntil > this.now()) return known;
    const troubles = known.troubles + (sign === 'down' ? troublesUntilRest : 1);
    if (known.rests === 0 && troubles < troublesUntilRest) return { ...known, troubles };
    const rest = Math.min(longestRestMs, Math.max(firstRestMs * 2 ** known.rests, restMs));
    return { ...known, troubles, rests: known.rests + 1, restsUntil: this.now() + rest };
  }
}
