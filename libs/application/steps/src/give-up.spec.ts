import { Fault } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import { anEvent, aNewSession, ManualClock, useStores, type TestStore } from '@fleet/testing';
import { runStep } from './run-step';
import type { StepPorts } from './step-ports';

const newStore = useStores();

describe('a step that fails permanently', () => {
  const bug = new Fault('knowledge.invalid', 'bug', 'a rule is damaged');
  let store: TestStore;
  let id: string;
  let reported: unknown[];
  let counted: unknown[];
  beforeEach(async () => {
    store = newStore(new ManualClock());
    [reported, counted] = [[], []];
    const made = aNewSession();
    id = made.id;
    await store.records.create(made, [], 1_000);
  });

  const load = async (): Promise<Session> => (await store.records.load(id))!;
  const wakeAgain = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await store.schedule.postpone(id, 1, 1_000, true);
  };
  const failStep = async (error: Error = bug, before?: () => Promise<unknown>): Promise<void> => {
    const ports: StepPorts = {
      records: store.records,
      schedule: store.schedule,
      waker: { wake: () => Promise.resolve() },
      clock: new ManualClock(),
      metrics: {
        count: (name, labels) => {
          if (name === 'phenix_fleet_session_ends_total') counted.push(labels);
        },
        observe: () => undefined,
      },
      log: { error: (entry) => reported.push(entry) },
    };
    const work = async (): Promise<never> => {
      await before?.();
      throw error;
    };
    const step = { job: 'decide', work } as const;
    await expect(runStep(ports, step, { sessionId: id, sessionVersion: 1 })).rejects.toBe(error);
  };
  /** The step fails, and the sweeper wakes it again. */
  const failAndWake = async (times: number, error?: Error): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await failStep(error);
      await expect(load()).resolves.toMatchObject({ status: 'running', version: 1 });
      await wakeAgain(1);
    }
  };

  it('ends its session with the reason after repeated wake-ups', async () => {
    await failAndWake(3);
    expect({ told: reported, counted }).toEqual({ told: [], counted: [] });
    await failStep();
    const session = await load();
    expect(session).toMatchObject({ status: 'failed', stop: { reason: 'error' } });
    expect(session.stop?.detail).toBe(
      'The service could not decide cycle 1: knowledge.invalid: a rule is damaged. Report the id of this session to its operators, and resume once it is repaired.',
    );
    const events = await store.events.after(id, '0', 100);
    expect(events.map(({ type }) => type)).toEqual(['error', 'session_ended']);
    expect(counted).toEqual([{ outcome: 'failed_infrastructure' }]);
    expect(reported).toMatchObject([{ message: 'gave a session up', sessionId: id, job: 'decide' }]);
  });

  it('is reported with its name if the cause is a bug', async () => {
    const error = new TypeError('x is undefined');
    await failAndWake(3, error);
    await failStep(error);
    expect((await load()).stop?.detail).toContain('cycle 1: TypeError: x is undefined. Report the id');
  });

  it.each([
    ['a passing fault', new Fault('storage.unreadable', 'transient', 'the disk is away')],
    ['an error of the system', Object.assign(new Error('no space left'), { code: 'ENOSPC' })],
  ])('is not counted if a retry may succeed: %s', async (_, error) => {
    await failAndWake(10, error);
  });

  it('does not end a session that was woken for hours during its run, with occasional failures', async () => {
    for (let hour = 0; hour < 6; hour += 1) {
      await wakeAgain(240);
      await failStep();
    }
    await expect(load()).resolves.toMatchObject({ status: 'running', version: 1 });
  });

  it('counts once for a wake-up whose job came back from a dead worker', async () => {
    for (let again = 0; again < 10; again += 1) await failStep();
    await expect(load()).resolves.toMatchObject({ status: 'running', version: 1 });
  });

  it('does not affect a session that was cancelled or moved meanwhile', async () => {
    await failAndWake(3);
    await failStep(bug, () => store.records.requestCancel(id, anEvent()));
    await expect(load()).resolves.toMatchObject({ status: 'cancelling', version: 2 });
  });
});
