import { ObjectStore, type Stored } from './object-store';

const version = (name: string, resourceVersion: number, uid = name, more: object = {}): Stored => ({
  name,
  uid,
  resourceVersion: String(resourceVersion),
  ...more,
});

const aStore = () => {
  const changes: string[] = [];
  const store = new ObjectStore<Stored>((before, after) => {
    changes.push(`${before?.resourceVersion ?? '-'}>${after?.resourceVersion ?? '-'}`);
  });
  return { store, changes };
};

describe('the store of objects of one kind', () => {
  it('does not replace a version with an older one', () => {
    const { store } = aStore();
    store.put(version('a', 9));
    store.put(version('a', 10));
    store.put(version('a', 9));
    expect(store.get('a')?.resourceVersion).toBe('10');
  });

  it('does not notify if only the version changed', () => {
    const { store, changes } = aStore();
    store.put(version('a', 1));
    store.put(version('a', 2));
    store.put(version('a', 3, 'a', { phase: 'Running' }));
    expect(changes).toEqual(['->1', '2>3']);
  });

  it('drops objects missing from a list, and keeps those created after the list', () => {
    const { store } = aStore();
    store.put(version('gone', 5));
    store.put(version('new', 30));
    store.listBegins();
    store.listed([version('a', 4)], '20');
    expect([...store.values()].map(({ name }) => name).sort()).toEqual(['a', 'new']);
  });

  it('accepts a cluster that was restored from a backup, with lower versions', () => {
    const { store, changes } = aStore();
    store.listBegins();
    expect(store.listed([version('a', 500, 'a', { phase: 'Running' }), version('gone', 501)], '600')).toBe(false);
    store.put(version('b', 601));
    store.listBegins();
    expect(store.listed([version('a', 90, 'a', { phase: 'Pending' })], '100')).toBe(true);
    expect([...store.values()]).toEqual([version('a', 90, 'a', { phase: 'Pending' })]);
    expect(changes.slice(-1)).toEqual(['->90']);
    store.put(version('a', 101));
    expect(store.get('a')?.resourceVersion).toBe('101');
  });

  it('does not restore an object that was deleted while the list was in progress', () => {
    const { store } = aStore();
    store.put(version('a', 5));
    store.listBegins();
    store.drop(version('a', 6));
    store.listed([version('a', 5)], '5');
    expect(store.size).toBe(0);
  });

  it('keeps a new object with the name of a deleted one', () => {
    const { store } = aStore();
    store.put(version('a', 8, 'second'));
    store.drop(version('a', 9, 'first'));
    expect(store.get('a')?.uid).toBe('second');
  });
});
