import { Fault } from '@fleet/contracts/faults';
import { anEvent } from '@fleet/testing';
import { run, useScripted } from './executor-harness';

const setUp = useScripted();

describe('a cancelled session', () => {
  it('ends when nothing of it runs any more, with the ending in its record', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.step(id);
    expect(await executor.cancelSession(id)).toEqual({ outcome: 'advanced' });
    const session = await executor.load(id);
    expect(session).toMatchObject({ status: 'cancelled', stop: { reason: 'cancelled', afterCycle: 1 } });
    expect(session.cycles[0]!.attempts[0]!.ending).toMatchObject({ kind: 'cancelled' });
    expect(backend.cancelled).toEqual([run(id)]);
    expect((await executor.eventsOf(id)).at(-1)).toBe('session_ended');
  });

  it('bars a program that nobody has seen start', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.cancelSession(id);
    expect(backend.cancelled).toEqual([run(id)]);
    expect((await executor.load(id)).status).toBe('cancelled');
  });

  it('is not moved by a step that was made before', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.store.records.requestCancel(id, anEvent());
    expect(await executor.execute({ sessionId: id, sessionVersion: 2 })).toEqual({ outcome: 'stale' });
    expect(backend.started).toEqual([]);
  });
});

describe('a cancel that the backend cannot carry out', () => {
  const stubborn = new Fault('run.cancel_failed', 'transient', 'pods of it are left.');

  it('is tried again, and the session stays cancelling until nothing is left', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.step(id);
    backend.stubborn = stubborn;
    await expect(executor.cancelSession(id)).rejects.toThrow('pods of it are left.');
    expect((await executor.load(id)).status).toBe('cancelling');
    executor.clock.forward(30_000);
    expect((await executor.store.schedule.overdue(10)).map((head) => head.id)).toEqual([id]);
    backend.stubborn = undefined;
    expect(await executor.cancelSession(id)).toEqual({ outcome: 'advanced' });
    expect((await executor.load(id)).status).toBe('cancelled');
  });

  it('is reported once to the user and the administrator when it takes longer than a minute', async () => {
    const { executor, backend } = setUp();
    const id = await executor.aDecided();
    await executor.step(id);
    backend.stubborn = stubborn;
    for (let minute = 0; minute < 5; minute += 1) {
      await executor.cancelSession(id).catch(() => undefined);
      executor.clock.forward(61_000);
    }
    const warnings = (await executor.store.events.after(id, '0', 100)).filter(({ type }) => type === 'warning');
    expect(warnings).toMatchObject([{ data: { code: 'cancel.slow' } }]);
    expect(warnings[0]!.message).toContain('pods of it are left.');
    expect(executor.alarms).toEqual([
      expect.stringMatching(`${id} does not stop after it was cancelled: .*pods of it`),
    ]);
    backend.stubborn = undefined;
    await executor.cancelSession(id);
    expect((await executor.load(id)).status).toBe('cancelled');
  });
});
