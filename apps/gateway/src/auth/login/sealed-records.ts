import { isDescribed, type Schema } from '@fleet/contracts/schema';
import type { LoginStore } from '@fleet/ports';
import { nameOf, sealed, unsealed } from './sealing';

/** A record and its encrypted form, which differs each time it is written and so serves as its version. */
export interface SealedRecord<T> {
  readonly value: T;
  readonly kept: string;
}

/**
 * Records of one kind in the store, each under the hash of its secret and encrypted with it: read access to the store
 * reveals neither, and write access cannot forge one.
 */
export class SealedRecords<T> {
  constructor(
    private readonly store: LoginStore,
    private readonly kind: string,
    private readonly schema: Schema<T>,
  ) {}

  keep(secret: string, value: T, forMs: number): Promise<void> {
    return this.store.keep(this.keyOf(secret), sealed(JSON.stringify(value), secret), forMs);
  }

  /** Like `keep`, but only if the stored version is unchanged. False: it was changed or removed meanwhile. */
  replace(secret: string, { kept }: SealedRecord<T>, value: T, forMs: number): Promise<boolean> {
    return this.store.replace(this.keyOf(secret), kept, sealed(JSON.stringify(value), secret), forMs);
  }

  /** Deletes the record, but only if the stored version is unchanged. False: it was changed or removed meanwhile. */
  remove(secret: string, { kept }: SealedRecord<T>): Promise<boolean> {
    return this.store.remove(this.keyOf(secret), kept);
  }

  /** The record; extends its lifetime to `forMs` milliseconds from now. */
  async use(secret: string, forMs: number): Promise<SealedRecord<T> | undefined> {
    const stored = await this.store.use(this.keyOf(secret), forMs);
    const value = this.read(stored, secret);
    return stored === undefined || value === undefined ? undefined : { value, kept: stored };
  }

  /** Returns and deletes the record. */
  async take(secret: string): Promise<T | undefined> {
    return this.read(await this.store.take(this.keyOf(secret)), secret);
  }

  private keyOf(secret: string): string {
    return `${this.kind}:${nameOf(secret)}`;
  }

  /** An invalid record (of an older release) counts as missing. */
  private read(kept: string | undefined, secret: string): T | undefined {
    const text = kept === undefined ? undefined : unsealed(kept, secret);
    if (text === undefined) return undefined;
    const value: unknown = JSON.parse(text);
    return isDescribed(this.schema, value) ? value : undefined;
  }
}
