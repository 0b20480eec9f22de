/** What a store needs to know of an object. */
export interface Stored {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** `before` is absent for a new object, `after` for one that is gone. */
export type StoreListener<T> = (before: T | undefined, after: T | undefined) => void;

/**
 * The objects of one kind as last seen, from lists and watched changes that arrive in any order: an older version never
 * replaces a newer one, and an object whose deletion was seen does not come back with a list that was made before.
 */
export class ObjectStore<T extends Stored> {
  private readonly objects = new Map<string, T>();
  /** Uids of what was deleted since the list that is under way began. */
  private readonly deleted = new Set<string>();

  /** Of the last list. */
  private listedVersion = '';

  constructor(private readonly onChange: StoreListener<T>) {}

  get size(): number {
    return this.objects.size;
  }

  get(name: string): T | undefined {
    return this.objects.get(name);
  }

  values(): Iterable<T> {
    return this.objects.values();
  }

  put(object: T): void {
    const before = this.objects.get(object.name);
    if (before !== undefined && isNewer(before.resourceVersion, object.resourceVersion)) return;
    this.objects.set(object.name, object);
    if (before === undefined || !isSame(before, object)) this.onChange(before, object);
  }

  drop(object: Stored): void {
    this.deleted.add(object.uid);
    const before = this.objects.get(object.name);
    // A new object may have the name already.
    if (before?.uid !== object.uid) return;
    this.objects.delete(object.name);
    this.onChange(before, undefined);
  }

  /** To be called before a list is asked for. */
  listBegins(): void {
    this.deleted.clear();
  }

  /**
   * Takes over a whole list of that version. True when it is of an earlier time than the list before: the cluster was
   * restored from a backup, or is another one. Then nothing counts that was known.
   */
  listed(objects: readonly T[], resourceVersion: string): boolean {
    const wentBack = isNewer(this.listedVersion, resourceVersion);
    this.listedVersion = resourceVersion;
    const names = new Set(objects.map(({ name }) => name));
    if (wentBack) {
      for (const known of [...this.objects.values()]) this.drop(known);
      this.deleted.clear();
    }
    for (const object of objects) {
      if (!this.deleted.has(object.uid)) this.put(object);
    }
    for (const known of [...this.objects.values()]) {
      if (!names.has(known.name) && !isNewer(known.resourceVersion, resourceVersion)) this.drop(known);
    }
    return wentBack;
  }
}

/**
 * True when a resource version is later than another of the same kind. They are decimal numbers that may be compared
 * (KEP-5504, Kubernetes 1.35; so they were before, without the promise). Where they are not, nothing is called newer.
 */
const isNewer = (one: string, other: string): boolean =>
  /^\d+$/.test(one) && /^\d+$/.test(other) && BigInt(one) > BigInt(other);

const isSame = (one: Stored, other: Stored): boolean =>
  JSON.stringify({ ...one, resourceVersion: '' }) === JSON.stringify({ ...other, resourceVersion: '' });
