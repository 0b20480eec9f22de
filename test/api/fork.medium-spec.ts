import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecoveryReport, Session, SessionView } from '@fleet/contracts';
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

/** A session of one cycle that has ended, with what its program made. */
const anEnded = async (): Promise<Session> => {
  const { id, folder, request } = await gateway.submitted();
  const made = join(folder, 'c001-refine/a1');
  const path = join(made, 'model.pdb');
  mkdirSync(made, { recursive: true });
  writeFileSync(path, 'a model');
  writeFileSync(join(made, 'program.log'), 'Final R-free = 0.25\n');
  const file = await open(path);
  const pin = await pinOf(file);
  await file.close();
  const data = request.inputs[0]?.path ?? '';
  await records().advance({
    sessionId: id,
    fromVersion: 1,
    to: { ended: { reason: 'converged', detail: 'one is enough', afterCycle: 1 } },
    cycleRecord: aCycle({
      decision: aDecision({ argv: ['phenix.refine', data], inputs: [{ slot: 'data_mtz', path: data }] }),
      result: aResult({ outputs: [aFile({ path, size: pin.size, cycle: 1, pin })], metrics: { r_free: 0.25 } }),
    }),
    events: [anEvent({ cycle: 1, type: 'session_ended', message: 'one is enough' })],
    dueInMs: 1,
  });
  const session = await records().load(id);
  if (session === undefined) throw new Error(`${id} was not made`);
  await gateway.app.get<SessionFolderPort>(SESSION_FOLDER).writeSession(session);
  return session;
};

const post = async <T>(path: string, body: object): Promise<T> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
};

it('a fork of an archived session goes on without it, is recovered from its own file, and serves its files', async () => {
  const parent = await anEnded();
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
  const redis = connectStore({ url: gateway.redis.url });
  await redis.flushall();
  redis.disconnect();
  const report = await post<RecoveryReport>('/v1/recoveries', {});
  expect(report.recovered).toEqual([expect.objectContaining({ id, cycle: 2, trusted: false, missingFiles: [] })]);
  const { request, guidance, cycles } = made ?? {};
  expect(await records().load(id)).toMatchObject({ status: 'running', cycle: 2, request, guidance, cycles });
  const answer = await fetch(`${gateway.url}/v1/sessions/${id}/files/1/model.pdb`);
  expect([answer.status, await answer.text()]).toEqual([200, 'a model']);
  expect(folder).not.toBe(parent.folder);
});
