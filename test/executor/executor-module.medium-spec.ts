import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessMetrics } from '@fleet/observability';
import {
  LAUNCH_CONTROL,
  RUN_SLOTS,
  SESSION_EVENTS,
  SESSION_RECORDS,
  type LaunchControl,
  type RunSlots,
  type SessionEvents,
  type SessionRecords,
} from '@fleet/ports';
import {
  aDecision,
  aMaintenanceWindow,
  aNewSession,
  anEnding,
  anId,
  aRequest,
  dataFile,
  modelFile,
  someSettings,
} from '@fleet/testing';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExecutorModule } from '../../apps/executor-worker/src/executor.module';
import { EXECUTION_SITE, type ExecutionSite } from '../../apps/executor-worker/src/execution-site';
import { soon } from './executor-harness';

/** A session whose program is due. */
import { startServers, type Servers } from '../support/servers';

const executing = async (records: SessionRecords, folder: string): Promise<string> => {
  const id = anId();
  const settings = someSettings({ simulated_programs: ['phenix.refine'] });
  await records.create(
    aNewSession({ id, folder: join(folder, id), request: aRequest({ settings, inputs: [dataFile(), modelFile()] }) }),
    [],
    60_000,
  );
  const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
  const cycleRecord = { cycle: 1, decision: aDecision({ argv: ['phenix.refine'] }), attempts: [] };
  await records.advance({ sessionId: id, fromVersion: 1, to, cycleRecord, events: [], dueInMs: 60_000 });
  return id;
};

/** The executor as it is wired, over a real PostgreSQL and a real Redis, with a script of one line for PHENIX. */
describe('the wired executor', () => {
  let servers: Servers;
  let app: INestApplicationContext;
  const root = mkdtempSync(join(tmpdir(), 'fleet-executor-'));

  beforeAll(async () => {
    Logger.overrideLogger(false);
    servers = await startServers();
    const [work, programs] = [join(root, 'work'), join(root, 'phenix/bin')];
    for (const folder of [work, programs]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(programs, 'phenix.refine'), '#!/bin/sh\n', { mode: 0o755 });
    const env = {
      ...servers.env,
      FLEET_WORK_ROOT: work,
      FLEET_DATA_ROOTS: root,
      FLEET_SWEEP_INTERVAL_MS: '200',
      FLEET_SWEEP_GRACE_MS: '100',
      PHENIX_DIR: join(root, 'phenix'),
    };
    app = await NestFactory.createApplicationContext(ExecutorModule.forRoot(env), { abortOnError: false });
  });
  afterAll(async () => {
    await app.close();
    await servers.stop();
    rmSync(root, { recursive: true });
  });

  it('holds a launch while launches are paused, with the reason in the record, and runs it when they are open', async () => {
    const records = app.get<SessionRecords>(SESSION_RECORDS, { strict: false });
    const events = app.get<SessionEvents>(SESSION_EVENTS, { strict: false });
    const control = app.get<LaunchControl>(LAUNCH_CONTROL, { strict: false });
    // The supervisor is a program of its own, which sources do not have; what this is about lies before it.
    const { backend } = app.get<ExecutionSite>(EXECUTION_SITE, { strict: false });
    const launched = jest
      .spyOn(backend, 'ensure')
      .mockResolvedValue({ state: 'ended', startedAt: new Date().toISOString(), ending: anEnding() });
    const slots = app.get<RunSlots>(RUN_SLOTS, { strict: false });
    await control.set({ mode: 'paused', reason: 'a test', by: 'the test' });
    const id = await executing(records, join(root, 'work', 'mx1'));
    await soon(async () => (await records.load(id))?.cycles[0]?.waiting !== undefined);
    expect((await records.load(id))?.cycles[0]?.waiting?.reason).toBe('launches are paused: a test');
    expect(launched).not.toHaveBeenCalled();
    expect(await slots.census()).toMatchObject({ taken: {}, waiting: 1 });
    await control.set({ mode: 'open', reason: '', by: 'the test' });
    await soon(async () => (await records.load(id))?.stage === 'analysing');
    const types = (await events.after(id, '0', 100)).map(({ type }) => type);
    expect(types).toEqual(['attempt_waiting', 'attempt_started', 'attempt_ended']);
    await soon(async () => (await slots.members()).length === 0);
  });

  it('tells how much room there is on the work volume', async () => {
    const page = await app.get(ProcessMetrics, { strict: false }).page();
    for (const state of ['free', 'total'])
      expect(page).toMatch(new RegExp(`^phenix_fleet_work_volume_bytes\\{state="${state}"\\} \\d+`, 'm'));
  });

  it('launches nothing in a maintenance window, and continues by itself when it is over', async () => {
    const records = app.get<SessionRecords>(SESSION_RECORDS, { strict: false });
    const control = app.get<LaunchControl>(LAUNCH_CONTROL, { strict: false });
    const { backend } = app.get<ExecutionSite>(EXECUTION_SITE, { strict: false });
    const launched = jest
      .spyOn(backend, 'ensure')
      .mockResolvedValue({ state: 'ended', startedAt: new Date().toISOString(), ending: anEnding() });
    launched.mockClear();
    const window = aMaintenanceWindow({ now: () => Date.now() - 3_600_000 });
    await control.announce(window);
    const id = await executing(records, join(root, 'work', 'mx1'));
    await soon(async () => (await records.load(id))?.cycles[0]?.waiting !== undefined);
    expect((await records.load(id))?.cycles[0]?.waiting?.reason).toMatch(/^maintenance .*: the file server is moved; /);
    expect(launched).not.toHaveBeenCalled();
    // Nobody does anything when this moment comes: every look at what waits reads the record and the time.
    await control.change({ ...window, until: new Date(Date.now() + 1_500).toISOString() });
    await soon(async () => (await records.load(id))?.stage === 'analysing');
    expect(launched).toHaveBeenCalledTimes(1);
    expect((await control.read()).mode).toBe('open');
  });
});
