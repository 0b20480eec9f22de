import { Fault } from '@fleet/contracts/faults';
import type { SessionStatus } from '@fleet/contracts/sessions';
import { anEnding, anEvent, anId, ManualClock, ScriptedBackend, useStores } from '@fleet/testing';
import { OrphanWatch } from '../../apps/executor-worker/src/upkeep/orphan-watch';
import { run, useExecutors } from './executor-harness';

const newExecutor = useExecutors();
const newStore = useStores();

const setUp = () => {
  const backend = new ScriptedBackend();
  const clock = new ManualClock();
  const store = newStore(clock);
  const executor = newExecutor(backend, { clock, store });
  const { orphans: register } = store;
  const { inventory } = backend;
  const errors: string[] = [];
  const onError = (what: string): void => void errors.push(what);
  const watch = new OrphanWatch({ inventory, register, records: executor.store.records, apartMs: 30_000, onError });
  const lookTwice = async (): Promise<void> => {
    await watch.look();
    executor.clock.forward(30_000);
    await watch.look();
  };
  return { backend, executor, register, watch, lookTwice, errors };
};

describe('orphans', () => {
  it('are runs that no record wants, with the reason', async () => {
    const { backend, executor, register, lookTwice } = setUp();
    const [running, ended, next] = [await executor.aDecided(), await executor.aDecided(), await executor.aDecided()];
    for (const id of [running, ended, next]) await executor.step(id);
    await executor.cancelSession(ended);
    backend.end(run(next), anEnding({ kind: 'lost', infrastructure: true }));
    await executor.step(next);
    const unknown = anId();
    // Left behind: by a session that is not known, by one that has ended, by an attempt that was given up.
    for (const name of [run(unknown), run(ended), run(next)]) backend.start(name);
    await lookTwice();
    const found = new Map((await register.list()).map((orphan) => [orphan.name, orphan]));
    expect([...found.keys()].sort()).toEqual([run(unknown), run(ended), run(next)].sort());
    expect(found.get(run(unknown))).toMatchObject({ reason: 'its session is unknown', sightings: 2 });
    expect(found.get(run(ended))).toMatchObject({ reason: 'its session has ended (cancelled)' });
    expect(found.get(run(next))?.reason).toBe('its session is at cycle 1, attempt 2 (executing)');
  });

  it('are never runs that are just being made, that wait, that are being cancelled, or that have ended', async () => {
    const { backend, executor, register, lookTwice } = setUp();
    const making = await executor.aDecided();
    backend.start(run(making));
    expect((await executor.load(making)).cycles[0]!.attempts).toEqual([]);
    backend.line = 'it is full.';
    const waiting = await executor.aDecided();
    await executor.step(waiting);
    const cancelling = await executor.aDecided();
    backend.start(run(cancelling));
    await executor.store.records.requestCancel(cancelling, anEvent({ type: 'session_cancelling' }));
    backend.end(run(anId()));
    await lookTwice();
    expect(await register.list()).toEqual([]);
  });

  it('are not runs whose record cannot be read, or says what only a newer release knows', async () => {
    const { backend, executor, register, lookTwice } = setUp();
    const [damaged, newer] = [await executor.aDecided(), await executor.aDecided()];
    for (const id of [damaged, newer]) await executor.step(id);
    const read = executor.store.records.loadHead.bind(executor.store.records);
    jest.spyOn(executor.store.records, 'loadHead').mockImplementation(async (id) => {
      if (id === damaged) throw new Fault('session.damaged', 'bug', 'the record is damaged');
      const head = await read(id);
      return head === undefined ? undefined : { ...head, status: 'paused' as SessionStatus };
    });
    backend.start(run(anId()));
    await lookTwice();
    expect(await register.list()).toHaveLength(1);
    expect(await executor.pruner.prune()).toBe(0);
  });

  it('are removed only after somebody asked, and only those with two strikes', async () => {
    const { backend, executor, register, watch, lookTwice } = setUp();
    const [old, fresh] = [run(anId()), run(anId())];
    backend.start(old);
    await lookTwice();
    backend.start(fresh);
    await watch.look();
    await watch.removeRequested();
    expect(backend.removed).toEqual([]);
    await register.requestRemoval();
    await watch.removeRequested();
    expect(backend.removed).toEqual([old]);
    expect((await register.list()).map(({ name }) => name)).toEqual([fresh]);
    expect(executor.errors).toEqual([]);
  });

  it('are left alone when their session was recovered meanwhile', async () => {
    const { backend, executor, register, watch, lookTwice } = setUp();
    const id = await executor.aDecided();
    const lost = jest.spyOn(executor.store.records, 'loadHead').mockResolvedValue(undefined);
    backend.start(run(id));
    await lookTwice();
    await register.requestRemoval();
    lost.mockRestore();
    await watch.removeRequested();
    expect(backend.removed).toEqual([]);
  });

  it('that cannot be removed stay asked for, and keep the others from nothing', async () => {
    const { backend, register, watch, lookTwice, errors } = setUp();
    const names = [run(anId()), run(anId())].sort();
    for (const name of names) backend.start(name);
    await lookTwice();
    await register.requestRemoval();
    const failing = jest.spyOn(backend.inventory, 'remove').mockRejectedValueOnce(new Error('no'));
    await watch.removeRequested();
    expect(errors).toEqual([`removing the orphan ${names[0]!}`]);
    expect(backend.removed).toEqual([names[1]]);
    failing.mockRestore();
    await watch.removeRequested();
    expect(await register.list()).toEqual([]);
  });
});
