import { Fault } from '@fleet/contracts';
import { MemoryStore } from '@fleet/session-store';
import { aNewSession, anEvent, ManualClock } from '@fleet/testing';
import { Logger } from '@nestjs/common';
import { HopelessSteps } from './hopeless-steps';

describe('a step that fails for good', () => {
  const error = new Fault('knowledge.invalid', 'bug', 'a rule is damaged');
  let store: MemoryStore;
  let hopeless: HopelessSteps;
  let id: string;
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(async () => {
    const clock = new ManualClock();
    store = new MemoryStore(clock);
    hopeless = new HopelessSteps(store.records, store.schedule, clock);
    const made = aNewSession();
    id = made.id;
    await store.records.create(made, [], 1_000);
  });

  const wakeAgain = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await store.schedule.postpone(id, 1, 1_000, true);
  };
  /** It fails, and the sweeper wakes it again. */
  const failAndWake = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await expect(fail()).resolves.toBe(false);
      await wakeAgain(1);
    }
  };
  const fail = (): Promise<boolean> =>
    hopeless.failed({ version: 1, sessionId: id, sessionVersion: 1 }, 'decide', error);

  it('ends its session with the reason once waking it again has not helped', async () => {
    await failAndWake(3);
    await expect(fail()).resolves.toBe(true);
    const session = await store.records.load(id);
    expect(session).toMatchObject({ status: 'failed', stop: { reason: 'error' } });
    expect(session?.stop?.detail).toBe(
      'The service could not decide cycle 1: a rule is damaged. Tell whoever runs it, with the id of this session, and resume once it is mended.',
    );
    const events = await store.events.after(id, '0', 100);
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['error', 'session_ended']));
  });

  it('leaves its session to the sweeper before that', async () => {
    await failAndWake(2);
    await expect(fail()).resolves.toBe(false);
    await expect(store.records.loadHead(id)).resolves.toMatchObject({ status: 'running', version: 1 });
  });

  it('does not end a session that was woken for hours because its program runs, and failed now and then', async () => {
    for (let hour = 0; hour < 6; hour += 1) {
      await wakeAgain(240);
      await expect(fail()).resolves.toBe(false);
    }
    await expect(store.records.loadHead(id)).resolves.toMatchObject({ status: 'running', version: 1 });
  });

  it('counts a wake-up once whose job came back from a worker that died', async () => {
    for (let again = 0; again < 10; again += 1) await expect(fail()).resolves.toBe(false);
  });

  it('leaves a session alone that has moved on or is being cancelled', async () => {
    await failAndWake(3);
    await store.records.requestCancel(id, anEvent());
    await fail();
    await expect(store.records.loadHead(id)).resolves.toMatchObject({ status: 'cancelling' });
  });
});
