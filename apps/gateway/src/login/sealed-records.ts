import { isDescribed, type Schema } from '@fleet/contracts';
import type { LoginStore } from '@fleet/ports';
import { nameOf, sealed, unsealed } from './sealing';

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

  /** As `keep`, and only where it still is. */
  replace(secret: string, value: T, forMs: number): Promise<void> {
    return this.store.replace(this.placeOf(secret), sealed(JSON.stringify(value), secret), forMs);
  }

  /** What is kept, from now on for so many milliseconds more. */
  async use(secret: string, forMs: number): Promise<T | undefined> {
    return this.read(await this.store.use(this.placeOf(secret), forMs), secret);
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
