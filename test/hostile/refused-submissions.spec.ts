import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedRoot } from '@fleet/access';
import { Fault } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import type { SessionFolderPort } from '@fleet/ports';
import { SessionFolder } from '@fleet/session-folder';
import { useStores, useStarted } from '@fleet/testing';
import { GatewayHarness } from '../api/gateway-harness';

/** Real folders on a disk that a test can fill. */
class FillableFolders extends SessionFolder implements SessionFolderPort {
  full = false;

  override async tryFolder(session: Session): Promise<void> {
    this.checkRoom();
    await super.tryFolder(session);
  }

  override async writeSession(session: Session): Promise<void> {
    this.checkRoom();
    await super.writeSession(session);
  }

  private checkRoom(): void {
    if (this.full) throw new Fault('storage.unwritable', 'transient', 'ENOSPC: no space left on device');
  }
}

const newStore = useStores();

describe('a submission that is refused', () => {
  let folders: FillableFolders;
  /** When the store is away while it is asked to write. */
  let away: 'before' | 'after' | undefined;
  const store = newStore();
  const create = store.records.create.bind(store.records);
  store.records.create = async (...given) => {
    if (away === 'before') throw new Fault('store.unreachable', 'transient', 'connection lost');
    const created = await create(...given);
    if (away === 'after') throw new Fault('store.unreachable', 'transient', 'connection lost');
    return created;
  };
  const gateway = useStarted('file', () =>
    GatewayHarness.start({
      store,
      folders: ({ work, data }) => (folders = new FillableFolders(work, { dataRoots: [sharedRoot(data)] })),
    }),
  );
  beforeEach(() => {
    folders.full = false;
    away = undefined;
  });

  const sessions = async (proposal: string): Promise<number> =>
    (await store.index.list({ proposal }, 100)).sessions.length;
  const woken = (): number => gateway.woken.length;

  it('because the disk is full leaves no session and no folder, and succeeds later with the same key', async () => {
    const body = { files: [gateway.file('full/a.sca')], proposal: 'full' };
    const before = woken();
    folders.full = true;
    expect((await gateway.submit(body, { 'idempotency-key': 'no-room' })).status).toBe(503);
    expect((await gateway.submit(body)).status).toBe(503);
    expect([await sessions('full'), woken()]).toEqual([0, before]);
    expect(existsSync(join(gateway.work, 'full'))).toBe(false);
    folders.full = false;
    const again = await gateway.submit(body, { 'idempotency-key': 'no-room' });
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect([await sessions('full'), woken()]).toEqual([1, before + 1]);
  });

  it.each([
    ['elsewhere', (): string => gateway.root],
    [
      'to another proposal',
      (): string => {
        mkdirSync(join(gateway.work, 'victim'), { recursive: true });
        return join(gateway.work, 'victim');
      },
    ],
  ])('because its proposal is a link %s leaves no session and writes nothing there', async (name, target) => {
    const proposal = `linked-${name.replaceAll(' ', '-')}`;
    const to = target();
    symlinkSync(to, join(gateway.work, proposal));
    const [before, there] = [woken(), readdirSync(to)];
    const answer = await gateway.submit({ files: [gateway.file('linked/a.sca')], proposal });
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'file.outside_root' }]);
    expect(answer.text).toContain('link');
    expect([await sessions(proposal), woken()]).toEqual([0, before]);
    expect(readdirSync(to)).toEqual(there);
  });

  it('because a file has the name of its proposal leaves no session', async () => {
    writeFileSync(join(gateway.work, 'a-file'), 'in the way');
    const answer = await gateway.submit({ files: [gateway.file('way/a.sca')], proposal: 'a-file' });
    expect(answer.status).toBe(503);
    expect(await sessions('a-file')).toBe(0);
  });

  it('because the store is unavailable leaves no session on the disk', async () => {
    away = 'before';
    const answer = await gateway.submit({ files: [gateway.file('away/a.sca')], proposal: 'away' });
    expect(answer.status).toBe(503);
    expect(await folders.listSessionFolders()).not.toContainEqual(expect.stringContaining('/away/'));
  });

  it('although its record may exist reports that, with the id', async () => {
    away = 'after';
    const answer = await gateway.submit({ files: [gateway.file('away/b.sca')], proposal: 'unknown' });
    const [found] = (await store.index.list({ proposal: 'unknown' }, 1)).sessions;
    expect(answer.status).toBe(503);
    expect((answer.json() as { detail: string }).detail).toContain(found?.id);
  });

  it('is not a repeated request for a running session, which returns the session', async () => {
    const body = { files: [gateway.file('replay/a.sca')], proposal: 'replay' };
    const key = { 'idempotency-key': 'replay' };
    const first = (await gateway.submit(body, key)).json() as { id: string; folder: string };
    rmSync(first.folder, { recursive: true, force: true });
    folders.full = true;
    const again = await gateway.submit(body, key);
    expect([again.status, (again.json() as { id: string }).id]).toEqual([201, first.id]);
  });

  it('with one key at two gateways at once makes one session with a complete folder', async () => {
    const body = { files: [gateway.file('both/a.sca')], proposal: 'both' };
    const key = { 'idempotency-key': 'both' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => gateway.submit(body, key)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { id, folder } = answers[0]!.json() as { id: string; folder: string };
    expect(await sessions('both')).toBe(1);
    await gateway.written(id);
    expect(readdirSync(folder)).toEqual(['session.json']);
  });
});
