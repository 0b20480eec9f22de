import { assertOwnInstallation } from '@fleet/session-store';

const key = 'fleet:installation';

/** A Redis, or what is left of it. */
class Keys {
  readonly values = new Map<string, string>();
  get = (name: string): Promise<string | null> => Promise.resolve(this.values.get(name) ?? null);
  set = (name: string, value: string): Promise<unknown> => {
    if (!this.values.has(name)) this.values.set(name, value);
    return Promise.resolve();
  };
}

class Root {
  readonly workRoot = '/work-root';
  readonly path = '/work-root/.phenix-fleet-installation';
  id: string | undefined;
  writable = true;

  read = (): Promise<string | undefined> => Promise.resolve(this.id);
  create = (id: string): Promise<boolean> => {
    if (this.writable) this.id ??= id;
    return Promise.resolve(this.writable);
  };
}

const start = (redis: Keys, root: Root): Promise<void> => assertOwnInstallation(redis, key, root, 50);

describe('the id of an installation', () => {
  it('is made once, by however many start at once, in both places', async () => {
    const [redis, root] = [new Keys(), new Root()];
    await Promise.all(Array.from({ length: 10 }, () => start(redis, root)));
    expect(root.id).toBeDefined();
    expect(redis.values.get(key)).toBe(root.id);
  });

  it('is put into a Redis again that was emptied', async () => {
    const [redis, root] = [new Keys(), new Root()];
    await start(redis, root);
    redis.values.clear();
    await start(redis, root);
    expect(redis.values.get(key)).toBe(root.id);
  });

  it('refuses the work root of another installation, with what to do', async () => {
    const [redis, one, other] = [new Keys(), new Root(), new Root()];
    await start(redis, one);
    other.id = 'other';
    await expect(start(redis, other)).rejects.toMatchObject({ name: 'Fault', code: 'store.other_installation' });
    await expect(start(redis, other)).rejects.toThrow(/of another one \(other, .*redis-cli DEL 'fleet:installation'/);
    await start(redis, one);
  });

  it('refuses a fresh work root, until the administrator confirms it', async () => {
    const [redis, fresh] = [new Keys(), new Root()];
    await start(redis, new Root());
    await expect(start(redis, fresh)).rejects.toThrow(/has none .* its volume is mounted/);
    expect(fresh.id).toBeUndefined();
    redis.values.delete(key);
    await start(redis, fresh);
    expect(redis.values.get(key)).toBe(fresh.id);
  });

  it('lets one of two facilities win that start at once', async () => {
    const redis = new Keys();
    const roots = [new Root(), new Root()];
    const ends = await Promise.allSettled(roots.map((root) => start(redis, root)));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is waited for where the work root is for reading alone', async () => {
    const [redis, root] = [new Keys(), new Root()];
    root.writable = false;
    await expect(start(redis, root)).rejects.toMatchObject({ code: 'storage.unwritable', kind: 'transient' });
    const waiting = start(redis, root);
    root.id = 'made by another service';
    await waiting;
    expect(redis.values.get(key)).toBe('made by another service');
  });
});
