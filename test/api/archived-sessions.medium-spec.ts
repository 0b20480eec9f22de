import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  attemptFiles,
  type CycleRecord,
  type RecoveryReport,
  type Session,
  type SessionView,
  type StoredEvent,
} from '@fleet/contracts';
import {
  SESSION_ARCHIVE,
  SESSION_EVENTS,
  SESSION_FOLDER,
  SESSION_RECORDS,
  type SessionArchive,
  type SessionEvents,
  type SessionFolderPort,
  type SessionRecords,
} from '@fleet/ports';
import { connectStore } from '@fleet/session-store';
import { aCycle, aDecision, aFile, anEvent, aResult } from '@fleet/testing';
import { pinOf } from '@fleet/untrusted-files';
import { RealGateway } from './real-gateway';

let gateway: RealGateway;
beforeAll(async () => {
  gateway = await RealGateway.start();
});
afterAll(() => gateway.stop());

const records = (): SessionRecords => gateway.app.get(SESSION_RECORDS);
const archive = (): SessionArchive => gateway.app.get(SESSION_ARCHIVE);

/** A session of one cycle that was submitted, ran and has ended, with its files. */
const anEnded = async (recordOf: (session: Session) => Promise<CycleRecord> = someRecord): Promise<string> => {
  const submitted = await gateway.submitted();
  const { id, folder } = submitted;
  const logs = join(folder, 'c001-refine/a1');
  mkdirSync(logs, { recursive: true });
  writeFileSync(join(logs, attemptFiles.log), 'Final R-free = 0.25\n');
  await records().advance({
    sessionId: id,
    fromVersion: 1,
    to: { ended: { reason: 'converged', detail: 'one is enough', afterCycle: 1 } },
    cycleRecord: await recordOf(submitted),
    events: [
      anEvent({ cycle: 1, type: 'cycle_start', message: 'Cycle 1' }),
      anEvent({ cycle: 1, type: 'cycle_complete', message: 'done', data: { outputs: [] } }),
      anEvent({ cycle: 1, type: 'session_ended', message: 'one is enough' }),
    ],
    dueInMs: 1,
  });
  const session = await records().load(id);
  if (session === undefined) throw new Error(`${id} was not made`);
  await gateway.app.get<SessionFolderPort>(SESSION_FOLDER).writeSession(session);
  return id;
};

const someRecord = (): Promise<CycleRecord> =>
  Promise.resolve(JSON.parse(JSON.stringify(aCycle()).replaceAll('"/data/', `"${gateway.root}/data/`)) as CycleRecord);

/** The record of a refinement that has made a model, which is there. */
const withModel = async ({ folder, request }: Session): Promise<CycleRecord> => {
  const path = join(folder, 'c001-refine/a1/model.pdb');
  writeFileSync(path, 'a model');
  const file = await open(path);
  const pin = await pinOf(file);
  await file.close();
  const data = request.inputs[0]?.path ?? '';
  return aCycle({
    decision: aDecision({ argv: ['phenix.refine', data], inputs: [{ slot: 'data_mtz', path: data }] }),
    result: aResult({ outputs: [aFile({ path, size: pin.size, cycle: 1, pin })], metrics: { r_free: 0.25 } }),
  });
};

const isArchived = async (id: string): Promise<boolean> => (await archive().archived(id)) !== undefined;

const emptyRedis = async (): Promise<void> => {
  const redis = connectStore({ url: gateway.redis.url });
  await redis.flushall();
  redis.disconnect();
};

const get = async (path: string, accept = 'application/json') => {
  const answer = await fetch(`${gateway.url}/v1/sessions${path}`, { headers: { accept } });
  return { status: answer.status, tag: answer.headers.get('etag'), text: await answer.text() };
};

/** What `read` tells of a session while it is in Redis, and when it is archived. */
const beforeAndAfter = async <T>(read: (id: string) => Promise<T>): Promise<readonly [T, T]> => {
  const id = await anEnded();
  const before = await read(id);
  await gateway.archiveAll();
  expect(await isArchived(id)).toBe(true);
  return [before, await read(id)];
};

/** A list does not have the sentence of an archived session's end, which lies with its files. */
const withoutDetails = <T extends object>(answer: T): T =>
  JSON.parse(JSON.stringify(answer).replaceAll(/,(?:\\n)? *\\"stopDetail\\": ?\\"[^"\\]*\\"/g, '')) as T;

const post = async <T>(path: string, body: object): Promise<T> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
};

describe('an archived session', () => {
  it.each([
    ['the session', (id: string) => get(`/${id}`)],
    ['its status', (id: string) => get(`/${id}/status`)],
    ['its row in the list', async () => withoutDetails(await get('?status=completed&limit=500'))],
    ['its events', (id: string) => get(`/${id}/events`)],
    ['its events page by page', (id: string) => get(`/${id}/events?limit=2`)],
    ['its events as a stream that ends', (id: string) => get(`/${id}/events`, 'text/event-stream')],
    ['its results', (id: string) => get(`/${id}/results`)],
    ['its summary', (id: string) => get(`/${id}/summary`, 'text/markdown')],
    ['its log', (id: string) => get(`/${id}/cycles/1/log`)],
  ])('is read through the gateway as it was: %s', async (_, read) => {
    const [before, after] = await beforeAndAfter(read);
    expect([before.status, before.text]).toEqual([200, expect.stringMatching(/./)]);
    expect(after).toEqual(before);
  });

  it('streams on from the event that a client saw last, and tells it the end', async () => {
    const id = await anEnded();
    const events = await gateway.app.get<SessionEvents>(SESSION_EVENTS).after(id, '0', 100);
    await gateway.archiveAll();
    const [last, lastButOne] = [events.at(-1), events.at(-2)];
    const rest = await get(`/${id}/events?after=${String(lastButOne?.id)}`, 'text/event-stream');
    expect(rest.text.match(/^id: .*$/gm)).toEqual([`id: ${String(last?.id)}`]);
    expect((await get(`/${id}/events?after=${String(last?.id)}`, 'text/event-stream')).status).toBe(204);
  });

  it.each([
    ['show', ['--detail']],
    ['watch', ['--json']],
    ['logs', []],
    ['results', []],
    ['list', ['--json']],
  ])('is shown by phx %s as it was', async (command, options) => {
    const [before, after] = await beforeAndAfter(async (id) =>
      command === 'list'
        ? withoutDetails(await gateway.phx([command, ...options]))
        : gateway.phx([command, id, ...options]),
    );
    expect([before.code, before.out]).toEqual([0, expect.stringMatching(/./)]);
    expect(after).toEqual(before);
  });

  it('says that its folder is gone, and still tells its status', async () => {
    const id = await anEnded();
    const folder = (await records().load(id))?.folder ?? '';
    await gateway.archiveAll();
    rmSync(folder, { recursive: true });
    const [session, events, status] = await Promise.all([get(`/${id}`), get(`/${id}/events`), get(`/${id}/status`)]);
    for (const answer of [session, events]) {
      expect(answer.status).toBe(409);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'archive.missing' });
    }
    expect([status.status, JSON.parse(status.text)]).toMatchObject([200, { status: 'completed' }]);
  });

  it('is left alone by phx recover', async () => {
    const id = await anEnded();
    await gateway.archiveAll();
    const { code, out } = await gateway.phx(['recover', '--json']);
    expect([code, (JSON.parse(out) as { existing: string[] }).existing.includes(id)]).toEqual([0, true]);
    expect(await isArchived(id)).toBe(true);
  });

  it('is put back when it is resumed, and goes on with all that happened to it', async () => {
    const id = await anEnded();
    const events = gateway.app.get<SessionEvents>(SESSION_EVENTS);
    const [was, happened] = [await records().load(id), await events.after(id, '0', 100)];
    await gateway.archiveAll();
    expect((await gateway.phx(['resume', id, '--set', 'max_cycles=9'])).code).toBe(0);
    expect(await isArchived(id)).toBe(false);
    const now = await records().load(id);
    expect(now).toMatchObject({ status: 'running', stage: 'deciding', cycle: 2, cycles: was?.cycles });
    const all = await events.after(id, '0', 100);
    expect(all.slice(0, happened.length)).toEqual(happened);
    expect(all.slice(happened.length).map(({ type }: StoredEvent) => type)).toEqual(['session_resumed']);
  });

  it('is rebuilt by phx recover where Redis was emptied, from its folder alone', async () => {
    const id = await anEnded();
    const was = await records().load(id);
    await gateway.archiveAll();
    await emptyRedis();
    const { code, out } = await gateway.phx(['recover', '--json']);
    const { recovered } = JSON.parse(out) as { recovered: { id: string; trusted: boolean }[] };
    expect([code, recovered.find((one) => one.id === id)?.trusted]).toEqual([0, false]);
    const { request, cycles, stop } = was ?? ({} as Partial<Session>);
    expect(await records().load(id)).toMatchObject({ status: 'completed', request, cycles, stop });
  });
});

it('a fork of an archived session goes on without it, is recovered from its own file, and serves its files', async () => {
  const parentId = await anEnded(withModel);
  const parent = (await records().load(parentId))!;
  await gateway.archiveAll();
  expect(await archive().archived(parent.id)).toBeDefined();
  const { id, folder } = await post<SessionView>(`/v1/sessions/${parent.id}/fork`, { cycle: 1, advice: 'refine once' });
  const made = await records().load(id);
  expect(made).toMatchObject({
    status: 'running',
    stage: 'deciding',
    cycle: 2,
    request: { forkedFrom: { session: parent.id, afterCycle: 1 } },
    guidance: { changedAfter: 1 },
    cycles: [{ cycle: 1, result: { metrics: [{ name: 'r_free', value: 0.25 }] } }],
  });
  const events = await gateway.app.get<SessionEvents>(SESSION_EVENTS).after(id, '0', 10);
  expect(events.map(({ type }) => type)).toEqual(['session_forked', 'advice_read']);
  // It is still archived, and its fork does not need it.
  expect(await archive().archived(parent.id)).toBeDefined();
  rmSync(parent.folder, { recursive: true });
  await emptyRedis();
  const report = await post<RecoveryReport>('/v1/recoveries', {});
  expect(report.recovered).toContainEqual(expect.objectContaining({ id, cycle: 2, trusted: false, missingFiles: [] }));
  const { request, guidance, cycles } = made ?? {};
  expect(await records().load(id)).toMatchObject({ status: 'running', cycle: 2, request, guidance, cycles });
  const answer = await fetch(`${gateway.url}/v1/sessions/${id}/files/1/model.pdb`);
  expect([answer.status, await answer.text()]).toEqual([200, 'a model']);
  expect(folder).not.toBe(parent.folder);
});
