import { Fault } from '@fleet/contracts/faults';
import type { StepResult } from '@fleet/contracts/queues';
import type { Session } from '@fleet/contracts/sessions';
import { aDecision, aGuidance, anEvent, aNewSession, anId, ManualClock, useStores } from '@fleet/testing';
import { endSession } from './end-session';
import { runStep } from './run-step';
import type { Move, Next, SessionStep } from './session-step';
import { SessionMutex } from './session-mutex';
import type { StepPorts } from './step-ports';
import { stepDueMs } from './times';

const newStore = useStores();

const decided = { cycle: 1, decision: aDecision(), attempts: [] };
const toExecuting: Move = {
  to: { stage: 'executing', cycle: 1, attempt: 1 },
  cycleRecord: decided,
  events: [anEvent({ message: 'decided' })],
};
const ending = endSession({ cycle: 1 }, { reason: 'nothing_left', detail: 'done', afterCycle: 1 }, anEvent().at);

/** A worker with a store and one submitted session, whose step is defined by the test. */
class Scene {
  readonly clock = new ManualClock();
  readonly store = newStore(this.clock);
  readonly id = anId();
  /** Actions, in order. */
  readonly done: string[] = [];
  /** Counted ends. */
  readonly counted: unknown[] = [];
  wakingFails = false;
  next: () => Promise<Next> = () => Promise.resolve(toExecuting);

  readonly ports: StepPorts = {
    records: this.store.records,
    schedule: this.store.schedule,
    waker: {
      wake: () => {
        this.done.push('wake');
        return this.wakingFails ? Promise.reject(new Error('the wake-up fails')) : Promise.resolve();
      },
    },
    clock: this.clock,
    metrics: {
      count: (name, labels) => {
        if (name === 'phenix_fleet_session_ends_total') this.counted.push(labels);
      },
      observe: () => undefined,
    },
    log: { error: ({ message }) => this.done.push(message!) },
  };

  readonly step: SessionStep = {
    job: 'decide',
    work: (session) => {
      this.done.push(`work at version ${session.version}`);
      return this.next();
    },
  };

  async begin(): Promise<this> {
    await this.store.records.create(aNewSession({ id: this.id }), [], stepDueMs);
    return this;
  }

  run(sessionVersion: number, sessionId = this.id): Promise<StepResult> {
    return runStep(this.ports, this.step, { sessionId, sessionVersion });
  }

  async load(): Promise<Session> {
    return (await this.store.records.load(this.id))!;
  }
}

const aScene = (): Promise<Scene> => new Scene().begin();

describe('a due step', () => {
  it('does its work, advances the record and wakes the next step', async () => {
    const scene = await aScene();
    await expect(scene.run(1)).resolves.toEqual({ outcome: 'advanced' });
    await expect(scene.load()).resolves.toMatchObject({ stage: 'executing', version: 2, cycles: [decided] });
    expect(scene.done).toEqual(['work at version 1', 'wake']);
    await expect(scene.store.events.after(scene.id, '0', 9)).resolves.toMatchObject([{ message: 'decided' }]);
  });

  it('schedules the sweeper even if the step gives no time', async () => {
    const scene = await aScene();
    await scene.run(1);
    scene.clock.forward(stepDueMs - 1);
    await expect(scene.store.schedule.overdue(1)).resolves.toEqual([]);
    scene.clock.forward(1);
    await expect(scene.store.schedule.overdue(1)).resolves.toMatchObject([{ id: scene.id }]);
  });

  it('is repeated if its guidance changed meanwhile', async () => {
    const scene = await aScene();
    let revision = 1;
    scene.next = async () => {
      if (revision < 3) {
        const from = { revision, stage: 'deciding', cycle: 1 } as const;
        revision += 1;
        await scene.store.records.advise({
          sessionId: scene.id,
          from,
          guidance: aGuidance({ revision }),
          events: [],
        });
      }
      return toExecuting;
    };
    const step = { ...scene.step, followsGuidance: true } as const;
    await expect(runStep(scene.ports, step, { sessionId: scene.id, sessionVersion: 1 })).resolves.toEqual({
      outcome: 'advanced',
    });
    expect(scene.done).toEqual([...Array<string>(3).fill('work at version 1'), 'wake']);
    await expect(scene.load()).resolves.toMatchObject({ version: 2, guidance: { revision: 3 } });
  });

  it('wakes no step if none is needed', async () => {
    const scene = await aScene();
    scene.next = () => Promise.resolve({ ...toExecuting, wakeNow: false, outcome: 'waiting' });
    await expect(scene.run(1)).resolves.toEqual({ outcome: 'waiting' });
    expect(scene.done).toEqual(['work at version 1']);
    await expect(scene.store.schedule.unacknowledged(0, 1)).resolves.toEqual([]);
  });

  it('reports what its decision waits for until it moves again', async () => {
    const scene = await aScene();
    const waiting = { since: '2026-11-21T08:00:00.000Z', reason: 'site: it is down' };
    const to = { stage: 'deciding', cycle: 1, attempt: 1 } as const;
    scene.next = () => Promise.resolve({ to, waiting, events: [], wakeNow: false, outcome: 'waiting' });
    await expect(scene.run(1)).resolves.toEqual({ outcome: 'waiting' });
    await expect(scene.load()).resolves.toMatchObject({ version: 2, waiting });
    scene.next = () => Promise.resolve({ to, events: [] });
    await scene.run(2);
    await expect(scene.load()).resolves.toMatchObject({ version: 3 });
    await expect(scene.load()).resolves.not.toHaveProperty('waiting');
  });

  it('ends a session, and wakes no step', async () => {
    const scene = await aScene();
    scene.next = () => Promise.resolve({ ...ending, afterwards: () => Promise.resolve(void scene.done.push('after')) });
    await scene.run(1);
    await expect(scene.load()).resolves.toMatchObject({ status: 'completed', stop: { reason: 'nothing_left' } });
    expect(scene.done).toEqual(['work at version 1', 'after']);
  });

  it('counts a session that it ends, once', async () => {
    const scene = await aScene();
    scene.next = () => Promise.resolve(ending);
    await scene.run(1);
    await expect(scene.run(1)).resolves.toEqual({ outcome: 'stale' });
    expect(scene.counted).toEqual([{ outcome: 'unknown' }]);
  });

  it('leaves the record unchanged if there is nothing to report, and is checked again', async () => {
    const scene = await aScene();
    scene.next = () => Promise.resolve({ lookAgainInMs: 5_000 });
    await expect(scene.run(1)).resolves.toEqual({ outcome: 'waiting' });
    await expect(scene.load()).resolves.toMatchObject({ stage: 'deciding', version: 1, wakeUps: 0 });
    scene.clock.forward(5_000);
    await expect(scene.store.schedule.overdue(1)).resolves.toMatchObject([{ id: scene.id }]);
  });

  it('leaves the record unchanged when its work fails', async () => {
    const scene = await aScene();
    const before = await scene.load();
    scene.next = () => Promise.reject(new Fault('storage.unreadable', 'transient', 'the disk is away'));
    await expect(scene.run(1)).rejects.toMatchObject({ code: 'storage.unreadable' });
    await expect(scene.load()).resolves.toEqual(before);
    expect(scene.done).toEqual(['work at version 1']);
  });
});

describe('a step that is not due', () => {
  it.each([
    ['of an earlier version', { version: 1 }],
    ['of a future version', { version: 3 }],
    ['of another stage', { version: 2 }],
    ['of a session that is not there', { version: 2, id: anId() }],
  ])('does nothing: one %s', async (_, { version, id }: { version: number; id?: string }) => {
    const scene = await aScene();
    await scene.run(1);
    scene.done.length = 0;
    const before = await scene.load();
    await expect(scene.run(version, id)).resolves.toEqual({ outcome: 'stale' });
    expect(scene.done).toEqual([]);
    await expect(scene.load()).resolves.toEqual(before);
  });

  it('is any step but the cancellation of a session that is being cancelled', async () => {
    const scene = await aScene();
    await scene.store.records.requestCancel(scene.id, anEvent());
    await expect(scene.run(2)).resolves.toEqual({ outcome: 'stale' });
    const cancel = { ...scene.step, job: 'cancel' } as const;
    await expect(runStep(scene.ports, cancel, { sessionId: scene.id, sessionVersion: 2 })).resolves.toEqual({
      outcome: 'advanced',
    });
  });

  it('does nothing with an ended session', async () => {
    const scene = await aScene();
    scene.next = () => Promise.resolve(ending);
    await scene.run(1);
    scene.done.length = 0;
    await expect(scene.run(2)).resolves.toEqual({ outcome: 'stale' });
    expect(scene.done).toEqual([]);
  });
});

describe('two workers with one step', () => {
  it('advance the record once, and the slower one does nothing afterwards', async () => {
    const scene = await aScene();
    scene.next = () =>
      Promise.resolve({ ...toExecuting, afterwards: () => Promise.resolve(void scene.done.push('after')) });
    const outcomes = await Promise.all([scene.run(1), scene.run(1)]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['advanced', 'stale']);
    expect(scene.done.filter((what) => what !== 'work at version 1')).toEqual(['wake', 'after']);
  });

  it('run one after the other in a process with a mutex', async () => {
    const scene = await aScene();
    const ports = { ...scene.ports, mutex: new SessionMutex() };
    const due = { sessionId: scene.id, sessionVersion: 1 };
    await Promise.all([runStep(ports, scene.step, due), runStep(ports, scene.step, due)]);
    expect(scene.done).toEqual(['work at version 1', 'wake']);
  });

  it('have no effect if the work finds that its result is no longer needed', async () => {
    const scene = await aScene();
    scene.next = () => Promise.resolve('stale');
    await expect(scene.run(1)).resolves.toEqual({ outcome: 'stale' });
    await expect(scene.load()).resolves.toMatchObject({ version: 1 });
  });
});

describe('a process that dies in a step', () => {
  it('leaves the wake-up in the outbox after it advanced the record', async () => {
    const scene = await aScene();
    scene.wakingFails = true;
    await expect(scene.run(1)).rejects.toThrow('the wake-up fails');
    await expect(scene.load()).resolves.toMatchObject({ stage: 'executing', version: 2 });
    await expect(scene.store.schedule.unacknowledged(0, 1)).resolves.toMatchObject([{ id: scene.id, version: 2 }]);
    await expect(scene.run(1)).resolves.toEqual({ outcome: 'stale' });
  });
});
