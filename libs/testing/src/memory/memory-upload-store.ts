import type { Upload } from '@fleet/contracts';
import type { UploadChange, UploadStore } from '@fleet/ports';

/** Milliseconds in which the uploads of a proposal are counted together. */
const dayMs = 24 * 60 * 60 * 1000;

/** Bytes of an upload that have not come and may; those of one that was refused have counted. */
const awaitedBytes = ({ state, size, offset }: Upload): number =>
  state === 'receiving' ? Math.max(0, size - offset) : 0;

interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

/** What ends by itself. */
class Ending<T> {
  private readonly all = new Map<string, Kept<T>>();

  constructor(private readonly now: () => number) {}

  get(name: string): T | undefined {
    const kept = this.all.get(name);
    return kept === undefined || kept.until <= this.now() ? undefined : kept.value;
  }

  set(name: string, value: T, forMs: number): void {
    this.all.set(name, { value, until: this.now() + forMs });
  }

  /** Another value that ends when the one before would have. */
  replace(name: string, value: T): void {
    const kept = this.all.get(name);
    if (kept !== undefined) this.all.set(name, { ...kept, value });
  }

  delete(name: string): void {
    this.all.delete(name);
  }
}

/** Uploads in memory, for tests. */
export class MemoryUploadStore implements UploadStore {
  private readonly uploads: Ending<Upload>;
  private readonly days: Ending<number>;
  private readonly writers: Ending<string>;

  constructor(now: () => number = Date.now) {
    this.uploads = new Ending(now);
    this.days = new Ending(now);
    this.writers = new Ending(now);
  }

  add(upload: Upload, forMs: number, mostOfDay: number): Promise<number | undefined> {
    const used = this.days.get(upload.proposal);
    const left = mostOfDay - (used ?? 0);
    if (upload.size > left) return Promise.resolve(Math.max(0, left));
    if (used === undefined) this.days.set(upload.proposal, upload.size, dayMs);
    else this.days.replace(upload.proposal, used + upload.size);
    this.uploads.set(upload.id, upload, forMs);
    return Promise.resolve(undefined);
  }

  find(id: string): Promise<Upload | undefined> {
    return Promise.resolve(this.uploads.get(id));
  }

  change(upload: Upload, changed: UploadChange, forMs: number): Promise<Upload | undefined> {
    if (this.uploads.get(upload.id)?.version !== upload.version) return Promise.resolve(undefined);
    const now = { ...upload, ...changed, version: upload.version + 1 };
    this.uploads.set(upload.id, now, forMs);
    return Promise.resolve(now);
  }

  remove(upload: Upload): Promise<boolean> {
    const { id, proposal, version } = upload;
    if (this.uploads.get(id)?.version !== version) return Promise.resolve(false);
    this.uploads.delete(id);
    const used = this.days.get(proposal);
    if (used !== undefined) this.days.replace(proposal, Math.max(0, used - awaitedBytes(upload)));
    return Promise.resolve(true);
  }

  hold(id: string, writer: string, forMs: number): Promise<boolean> {
    const holder = this.writers.get(id);
    if (holder !== undefined && holder !== writer) return Promise.resolve(false);
    this.writers.set(id, writer, forMs);
    return Promise.resolve(true);
  }

  release(id: string, writer: string): Promise<void> {
    if (this.writers.get(id) === writer) this.writers.delete(id);
    return Promise.resolve();
  }
}
