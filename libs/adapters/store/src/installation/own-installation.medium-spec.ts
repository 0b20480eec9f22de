import type { Database } from '../database';
import { useDatabases } from '../fixtures/databases';
import { assertOwnInstallation, type InstallationFile } from './own-installation';

class Root implements InstallationFile {
  readonly workRoot = '/work-root';
  readonly path = '/work-root/.phenix-fleet-installation';
  id: string | undefined;
  writable = true;

  read(): Promise<string | undefined> {
    return Promise.resolve(this.id);
  }

  create(id: string): Promise<boolean> {
    if (this.writable) this.id ??= id;
    return Promise.resolve(this.writable);
  }
}

const databases = useDatabases();

describe('the id of an installation', () => {
  let db: Database;
  beforeEach(async () => {
    ({ db } = await databases.context());
  });
  const start = (root: Root): Promise<void> => assertOwnInstallation(db, root, 50);
  const ids = async (): Promise<readonly string[]> =>
    (await db.selectFrom('installation').select('id').execute()).map(({ id }) => id);
  const forget = () => db.deleteFrom('installation').execute();

  it('is created once, in both places, by services that start at the same time', async () => {
    const root = new Root();
    await Promise.all(Array.from({ length: 10 }, () => start(root)));
    expect(root.id).toBeDefined();
    expect(await ids()).toEqual([root.id]);
  });

  it('is restored in an empty database', async () => {
    const root = new Root();
    await start(root);
    await forget();
    await start(root);
    expect(await ids()).toEqual([root.id]);
  });

  it('rejects the work root of another installation, and says what to do', async () => {
    const [one, other] = [new Root(), new Root()];
    await start(one);
    other.id = 'other';
    await expect(start(other)).rejects.toMatchObject({ name: 'Fault', code: 'store.other_installation' });
    await expect(start(other)).rejects.toThrow(/another one \(other, .*DELETE FROM installation/);
    await start(one);
  });

  it('rejects a fresh work root, until the administrator confirms it', async () => {
    const fresh = new Root();
    await start(new Root());
    await expect(start(fresh)).rejects.toThrow(/has none .* its volume is mounted/);
    expect(fresh.id).toBeUndefined();
    await forget();
    await start(fresh);
    expect(await ids()).toEqual([fresh.id]);
  });

  it('lets one of two facilities win that start at once', async () => {
    const ends = await Promise.allSettled([new Root(), new Root()].map(start));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is waited for if the work root is read-only', async () => {
    const root = new Root();
    root.writable = false;
    await expect(start(root)).rejects.toMatchObject({ code: 'storage.unwritable', kind: 'transient' });
    const waiting = start(root);
    root.id = 'made by another service';
    await waiting;
    expect(await ids()).toEqual(['made by another service']);
  });
});
