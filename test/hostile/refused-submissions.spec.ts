import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedRoot } from '@fleet/access';
import { Fault, type Session } from '@fleet/contracts';
import type { PreparedSession, SessionFolderPort } from '@fleet/ports';
import { SessionFolder } from '@fleet/session-folder';
import { MemoryStore } from '@fleet/testing';
import { GatewayHarness } from '../api/gateway-harness';

/** Real folders on a disk that a test can fill. */
class FillableFolders extends SessionFolder implements SessionFolderPort {
  full = false;
  /** The disk fails between the record and the name of its file. */
  failsAtPublishing = false;

  override async prepareSession(session: Session): Promise<PreparedSession> {
    if (this.full) throw new Fault('storage.unwritable', 'transient', 'ENOSPC: no space left on device');
    const prepared = await super.prepareSession(session);
    if (!this.failsAtPublishing) return prepared;
    return { ...prepared, publish: () => Promise.reject(new Fault('storage.unwritable', 'transient', 'EIO')) };
  }
}

/** A store that is away while it is asked to write. */
class AwayStore extends MemoryStore {
  away: 'before' | 'after' | undefined;

  constructor() {
    super();
    const create = this.records.create.bind(this.records);
    this.records.create = async (...given) => {
      if (this.away === 'before') throw new Fault('store.unreachable', 'transient', 'connection lost');
      const created = await create(...given);
      if (this.away === 'after') throw new Fault('store.unreachable', 'transient', 'connection lost');
      return created;
    };
  }
}

describe('a submission that is refused', () => {
  let gateway: GatewayHarness;
  let folders: FillableFolders;
  const store = new AwayStore();
  beforeAll(async () => {
    gateway = await GatewayHarness.start({
      store,
      folders: ({ work, data }) => (folders = new FillableFolders(work, { dataRoots: [sharedRoot(data)] })),
    });
  });
  beforeEach(() => {
    folders.full = false;
    folders.failsAtPublishing = false;
    store.away = undefined;
  });
  afterAll(async () => {
    await gateway.stop();
  });

  const sessions = async (proposal: string): Promise<number> =>
    (await store.index.list({ proposal }, 100)).sessions.length;
  const woken = (): number => gateway.woken.length;

  it('for want of room on the disk leaves no session and no folder, and works later with the same key', async () => {
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

  it('because the records are away leaves nothing on the disk', async () => {
    store.away = 'before';
    const answer = await gateway.submit({ files: [gateway.file('away/a.sca')], proposal: 'away' });
    expect(answer.status).toBe(503);
    expect(existsSync(join(gateway.work, 'away'))).toBe(false);
  });

  it('although its record may have been written says so, with the id', async () => {
    store.away = 'after';
    const answer = await gateway.submit({ files: [gateway.file('away/b.sca')], proposal: 'unknown' });
    const [found] = (await store.index.list({ proposal: 'unknown' }, 1)).sessions;
    expect(answer.status).toBe(503);
    expect((answer.json() as { detail: string }).detail).toContain(found?.id);
  });

  it('is never one whose record exists: where the disk fails just then, the session is accepted', async () => {
    folders.failsAtPublishing = true;
    const body = { files: [gateway.file('late/a.sca')], proposal: 'late' };
    const key = { 'idempotency-key': 'late' };
    const answer = await gateway.submit(body, key);
    expect([answer.status, await sessions('late')]).toEqual([201, 1]);
    folders.failsAtPublishing = false;
    const replayed = await gateway.submit(body, key);
    expect(replayed.status).toBe(201);
    const { id, folder } = replayed.json() as { id: string; folder: string };
    expect(JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8'))).toMatchObject({ session: { id } });
  });

  it('of a session that runs already is none: a repeated request is answered with the session', async () => {
    const body = { files: [gateway.file('replay/a.sca')], proposal: 'replay' };
    const key = { 'idempotency-key': 'replay' };
    const first = (await gateway.submit(body, key)).json() as { id: string; folder: string };
    rmSync(first.folder, { recursive: true });
    folders.full = true;
    const again = await gateway.submit(body, key);
    expect([again.status, (again.json() as { id: string }).id]).toEqual([201, first.id]);
  });

  it('with one key at two gateways at once makes one session with a complete folder', async () => {
    const body = { files: [gateway.file('both/a.sca')], proposal: 'both' };
    const key = { 'idempotency-key': 'both' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => gateway.submit(body, key)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { folder } = answers[0]!.json() as { folder: string };
    expect(await sessions('both')).toBe(1);
    expect(readdirSync(folder)).toEqual(['session.json']);
  });

  it('that died after the file was prepared leaves nothing that recover takes for a session', async () => {
    const session = { ...(await anAccepted()), id: '01jd7000000000000000000000' };
    const folder = folders.pathOf('died', session.id);
    await folders.prepareSession({ ...session, folder, request: { ...session.request, proposal: 'died' } });
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.session\.json\./)]);
    expect(await folders.listSessionFolders()).not.toContain(folder);
  });

  const anAccepted = async (): Promise<Session> => {
    const answer = await gateway.submit({ files: [gateway.file('some/a.sca')], proposal: 'some' });
    const session = await store.records.load((answer.json() as { id: string }).id);
    if (session === undefined) throw new Error('not there');
    return session;
  };
});
