/** An object of the fake cluster, as JSON. */
export interface FakeObject {
  readonly metadata: {
    name: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
    deletionTimestamp?: string;
    labels: Record<string, string>;
    annotations: Record<string, string>;
  };
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
}

export type FakeKind = 'jobs' | 'pods';

/** A change, as sent by a watch. */
export interface FakeEvent {
  readonly version: number;
  readonly kind: FakeKind;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: FakeObject;
}

/** The objects of the fake cluster, with versions and a history, like etcd's. */
export class FakeObjects {
  readonly events: FakeEvent[] = [];
  /** Watches can continue from this version and later ones. */
  oldest = 0;
  version = 100;
  private readonly kinds: Record<FakeKind, Map<string, FakeObject>> = { jobs: new Map(), pods: new Map() };
  private readonly listeners = new Set<(event: FakeEvent) => void>();
  private serial = 0;

  get(kind: FakeKind, name: string): FakeObject | undefined {
    return this.kinds[kind].get(name);
  }

  list(kind: FakeKind, selector: string): readonly FakeObject[] {
    return [...this.kinds[kind].values()].filter((object) => fits(object, selector));
  }

  add(
    kind: FakeKind,
    given: { metadata?: Partial<FakeObject['metadata']>; spec?: object; status?: object },
  ): FakeObject {
    this.serial += 1;
    const object: FakeObject = {
      metadata: {
        labels: {},
        annotations: {},
        name: `object-${String(this.serial)}`,
        ...given.metadata,
        uid: `uid-${String(this.serial)}`,
        resourceVersion: '',
        creationTimestamp: new Date().toISOString(),
      },
      spec: { ...given.spec },
      status: { ...given.status },
    };
    this.kinds[kind].set(object.metadata.name, object);
    this.tell(kind, 'ADDED', object);
    return object;
  }

  change(kind: FakeKind, name: string, change: (object: FakeObject) => void): void {
    const object = this.kinds[kind].get(name);
    if (object === undefined) throw new Error(`the fake cluster has no ${kind} named ${name}`);
    change(object);
    this.tell(kind, 'MODIFIED', object);
  }

  remove(kind: FakeKind, name: string): void {
    const object = this.kinds[kind].get(name);
    if (object === undefined) return;
    this.kinds[kind].delete(name);
    this.tell(kind, 'DELETED', object);
  }

  onEvent(listener: (event: FakeEvent) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Drops the history: older watches get 410. */
  compact(): void {
    this.version += 10;
    this.oldest = this.version;
    this.events.length = 0;
  }

  private tell(kind: FakeKind, type: FakeEvent['type'], object: FakeObject): void {
    this.version += 1;
    object.metadata.resourceVersion = String(this.version);
    const event = { version: this.version, kind, type, object: structuredClone(object) };
    this.events.push(event);
    for (const listener of this.listeners) listener(event);
  }
}

/** Field selectors of the forms `path=value` and `path!=value`, comma-separated. */
export const hasFields = ({ status }: FakeObject, selector: string): boolean => {
  const fields: Readonly<Record<string, unknown>> = {
    'status.successful': status.succeeded ?? 0,
    'status.phase': status.phase ?? 'Pending',
  };
  return selector
    .split(',')
    .filter((term) => term !== '')
    .every((term) => {
      const [, path = '', not, value] = /^([^!=]+)(!?)=(.*)$/.exec(term) ?? [];
      if (!(path in fields)) throw new Error(`the fake cluster does not know the field selector ${term}`);
      return (String(fields[path]) === value) === (not === '');
    });
};

/** Label selectors of the forms `key=value` and `key`, comma-separated. */
export const fits = ({ metadata }: FakeObject, selector: string): boolean =>
  selector
    .split(',')
    .filter((term) => term !== '')
    .every((term) => {
      const [key = '', value] = term.split('=');
      return value === undefined ? key in metadata.labels : metadata.labels[key] === value;
    });
