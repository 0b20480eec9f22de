import { Fault, isEnded, Queues, type StepPayload, type StepResult } from '@fleet/contracts';
import { MemoryStore } from '@fleet/session-store';
import { aNewSession, ManualClock } from '@fleet/testing';
import { Logger } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { DelayedError, UnrecoverableError, type Job } from 'bullmq';
import { HandlesJob } from './handles-job.decorator';
import { HopelessSteps } from './hopeless-steps';
import { StepRunner } from './step-runner';

const store = new MemoryStore(new ManualClock());

/** Never decides; keeps the files of sessions that have ended, as every handler does. */
@HandlesJob(Queues.decisions, 'decide')
class Decide {
  readonly kept: string[] = [];

  async handle({ sessionId }: StepPayload): Promise<StepResult> {
    const head = await store.records.loadHead(sessionId);
    if (head === undefined || !isEnded(head.status)) throw new Fault('knowledge.invalid', 'bug', 'a rule is damaged');
    this.kept.push(sessionId);
    return { outcome: 'stale' };
  }
}

const decide = new Decide();
let runner: StepRunner;
beforeAll(() => {
  Logger.overrideLogger(false);
  const discovery = { getProviders: () => [{ metatype: Decide, instance: decide }] } as unknown as DiscoveryService;
  runner = new StepRunner(
    Queues.decisions,
    discovery,
    store.schedule,
    new HopelessSteps(store.records, store.schedule, new ManualClock()),
  );
  runner.onModuleInit();
});

it.each([
  ['a job', { name: 'reconsider', data: { version: 1, sessionId: 'x', sessionVersion: 1 } }],
  ['a payload', { name: 'decide', data: { version: 2 } }],
])('leaves %s of a newer release to a newer worker', async (_, made) => {
  const put: unknown[] = [];
  const moveToDelayed = (until: number, token: string): Promise<void> => {
    put.push(until > Date.now(), token);
    return Promise.resolve();
  };
  const job = { ...made, timestamp: Date.now() - 60_000, moveToDelayed } as unknown as Job;
  await expect(runner.run(job, 'token')).rejects.toBeInstanceOf(DelayedError);
  expect(put).toEqual([true, 'token']);
});

it('fails a job of a newer release that nobody took: there is no newer worker any more', async () => {
  const timestamp = Date.now() - 660_000;
  const job = { name: 'reconsider', data: {}, timestamp } as unknown as Job;
  await expect(runner.run(job, 'token')).rejects.toBeInstanceOf(UnrecoverableError);
});

it('lets the handler write the files of a session that was given up', async () => {
  const made = aNewSession();
  await store.records.create(made, [], 1_000);
  const data: StepPayload = { version: 1, sessionId: made.id, sessionVersion: 1 };
  const job = { name: 'decide', data } as unknown as Job;
  for (let woken = 0; woken < 3; woken += 1) {
    await expect(runner.run(job, 'token')).rejects.toBeInstanceOf(UnrecoverableError);
    expect(decide.kept).toEqual([]);
    await store.schedule.postpone(made.id, 1, 1_000, true);
  }
  await expect(runner.run(job, 'token')).rejects.toThrow('a rule is damaged');
  expect(decide.kept).toEqual([made.id]);
});
