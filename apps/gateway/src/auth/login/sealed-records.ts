import { isDescribed, type Schema } from '@fleet/contracts/schema';
import type { LoginStore } from '@fleet/ports';
import { nameOf, sealed, unsealed } from './sealing';

/** A record, and how it lies in the store: each time that it is written it lies there in another way, so that this is its version. */
export interface SealedRecord<T> {
  readonly value: T;
  readonly kept: string;
}

/**
 * Records of one kind in the store, each under the hash of its secret and sealed with it: who reads the store learns neither, and who writes
 * to it changes none.
 */
export class SealedRecords<T> {
  constructor(
    private readonly store: LoginStore,
    private readonly kind: string,
    private readonly schema: Schema<T>,
  ) {}

  keep(secret: string, value: T, forMs: number): Promise<void> {
    return this.store.keep(this.placeOf(secret), sealed(JSON.stringify(value), secret), forMs);
  }

  /** As `keep`, and only where it still is as it was held. False: it was changed or taken meanwhile. */
  replace(secret: string, { kept }: SealedRecord<T>, value: T, forMs: number): Promise<boolean> {
    return this.store.replace(this.placeOf(secret), kept, sealed(JSON.stringify(value), secret), forMs);
  }

  /** Forgets it, and only where it still is as it was held. False: it was changed or taken meanwhile. */
  remove(secret: string, { kept }: SealedRecord<T>): Promise<boolean> {
    return this.store.remove(this.placeOf(secret), kept);
  }

  /** What is kept, from now on for so many milliseconds more. */
  async use(secret: string, forMs: number): Promise<SealedRecord<T> | undefined> {
    const stored = await this.store.use(this.placeOf(secret), forMs);
    const value = this.read(stored, secret);
    return stored === undefined || value === undefined ? undefined : { value, kept: stored };
  }

  /** Gives it and forgets it. */
  async take(secret: string): Promise<T | undefined> {
    return this.read(await this.store.take(this.placeOf(secret)), secret);
  }

  private placeOf(secret: string): string {
    return `${this.kind}:${nameOf(secret)}`;
  }

  /** What is not of its kind (an older release wrote it) is none. */
  private read(kept: string | undefined, secret: string): T | undefined {
    const text = kept === undefined ? undefined : unsealed(kept, secret);
    if (text === undefined) return undefined;
    const value: unknown = JSON.parse(text);
    return isDescribed(this.schema, value) ? value : undefined;
  }
}
