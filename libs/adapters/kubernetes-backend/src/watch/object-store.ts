/** Fields that a store needs of an object. */
export interface Stored {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** `before` is absent for a new object, `after` for a deleted one. */
export type StoreListener<T> = (before: T | undefined, after: T | undefined) => void;

/**
 * The last known objects of one kind, from lists and watch events in any order. An older version never replaces a newer
 * one, and a deleted object is not restored by an older list.
 */
export class ObjectStore<T extends Stored> {
  private readonly objects = new Map<string, T>();
  /** Uids deleted since the current list began. */
  private readonly deleted = new Set<string>();

  /** Version of the last list. */
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
    // A new object may already have the name.
    if (before?.uid !== object.uid) return;
    this.objects.delete(object.name);
    this.onChange(before, undefined);
  }

  /** Must be called before a list is requested. */
  listBegins(): void {
    this.deleted.clear();
  }

  /**
   * Applies a whole list of that version. Returns true if it is older than the list before: the cluster was restored
   * from a backup, or is another one. Then all earlier state is dropped.
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
 * Whether one resource version is later than another of the same kind. They are decimal numbers that can be compared
 * (KEP-5504, Kubernetes 1.35; true earlier too, but not guaranteed). If they are not numbers, the result is false.
 */
const isNewer = (one: string, other: string): boolean =>
  /^\d+$/.test(one) && /^\d+$/.test(other) && BigInt(one) > BigInt(other);

const isSame = (one: Stored, other: Stored): boolean =>
  JSON.stringify({ ...one, resourceVersion: '' }) === JSON.stringify({ ...other, resourceVersion: '' });
