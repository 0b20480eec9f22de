import { Fault } from '@fleet/contracts/faults';
import { Queues, type StepPayload, type StepResult } from '@fleet/contracts/queues';
import { aNewSession, ManualClock, useStores } from '@fleet/testing';
import { Logger } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { DelayedError, UnrecoverableError, type Job } from 'bullmq';
import { HandlesJob } from './handles-job.decorator';
import { StepRunner } from './step-runner';

const store = useStores()(new ManualClock());

/** A step whose program still runs, or that fails for good. */
@HandlesJob(Queues.decisions, 'decide')
class Decide {
  handle({ sessionVersion }: StepPayload): Promise<StepResult> {
    if (sessionVersion === 1) return Promise.resolve({ outcome: 'waiting' });
    return Promise.reject(new Fault('knowledge.invalid', 'bug', 'a rule is damaged'));
  }
}

let runner: StepRunner;
beforeAll(() => {
  Logger.overrideLogger(false);
  const discovery = {
    getProviders: () => [{ metatype: Decide, instance: new Decide() }],
  } as unknown as DiscoveryService;
  runner = new StepRunner(Queues.decisions, discovery, store.schedule);
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

it('fails a job of a newer release that no worker took: there is no newer worker any longer', async () => {
  const timestamp = Date.now() - 660_000;
  const job = { name: 'reconsider', data: {}, timestamp } as unknown as Job;
  await expect(runner.run(job, 'token')).rejects.toBeInstanceOf(UnrecoverableError);
});

it('acknowledges a wake-up whose step leaves its session unchanged', async () => {
  const made = aNewSession();
  await store.records.create(made, [], 1_000);
  await expect(store.schedule.unacknowledged(0, 1)).resolves.toMatchObject([{ id: made.id }]);
  const data: StepPayload = { version: 1, sessionId: made.id, sessionVersion: 1 };
  await expect(runner.run({ name: 'decide', data } as unknown as Job, 'token')).resolves.toEqual({
    outcome: 'waiting',
  });
  await expect(store.schedule.unacknowledged(0, 1)).resolves.toEqual([]);
});

it('reports to the queue that a step which fails for good must not be retried', async () => {
  const data: StepPayload = { version: 1, sessionId: aNewSession().id, sessionVersion: 2 };
  const ran = runner.run({ name: 'decide', data } as unknown as Job, 'token');
  await expect(ran).rejects.toBeInstanceOf(UnrecoverableError);
  await expect(ran).rejects.toThrow('knowledge.invalid: a rule is damaged');
});
