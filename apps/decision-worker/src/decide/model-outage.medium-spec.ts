import { aGuidance, anEvent } from '@fleet/testing';
import { choosing, modelSite } from '../fixtures/model-site';

const at = modelSite();

/** A session that waits for its model. */
const waiting = async () => {
  const all = await at.open({ settings: { model_outage: 'wait' } });
  /** The session that a worker's sweeper wakes after this time. */
  const due = async (seconds: number) => {
    all.clock.forward(seconds * 1_000);
    return (await all.store.schedule.overdue(10)).map(({ id, version }) => ({ id, version }));
  };
  return { ...all, due };
};

/** The same, after one failed check. */
const down = async () => {
  at.models.play({ fault: 'overloaded' });
  const all = await waiting();
  expect(await all.step()).toEqual({ outcome: 'waiting' });
  return all;
};

describe('a session that waits for models', () => {
  it('reports since when and why, is rechecked, and is decided by the model when its target is back', async () => {
    const { now, due, events, step, session, decision, worker } = await down();
    const waits = await now();
    expect(waits).toMatchObject({ stage: 'deciding', cycle: 2, attempt: 1, version: 2 });
    expect(waits.waiting?.reason).toContain('site: ');
    expect((await events()).map(({ type, message }) => `${type} ${message}`)).toEqual([
      `warning The decision waits for a language model: ${waits.waiting?.reason ?? ''}`,
    ]);
    expect([await due(29), await due(1)]).toEqual([[], [{ id: session.id, version: 2 }]]);
    // Still down: nothing is reported again, and the start of the wait stays.
    expect(await step(2)).toEqual({ outcome: 'waiting' });
    expect((await now()).waiting).toEqual(waits.waiting);
    expect(await events()).toHaveLength(1);
    // Its worker is gone; another one is woken, and the target is back.
    at.models.play(choosing('phenix.predict_and_build'));
    expect(await due(300)).toEqual([{ id: session.id, version: 2 }]);
    expect(await worker().step(2)).toEqual({ outcome: 'advanced' });
    expect(await decision()).toMatchObject({ program: 'phenix.predict_and_build', decidedBy: 'model' });
    const after = await now();
    expect(after).toMatchObject({ stage: 'executing', cycle: 2, attempt: 1, version: 3 });
    expect(after).not.toHaveProperty('waiting');
    expect(at.models.requests).toHaveLength(1);
  });

  it('calls its target no more often than the breaker allows', async () => {
    const { due, step } = await down();
    const before = at.models.requests.length;
    for (let look = 0; look < 5; look += 1) {
      await due(5);
      expect(await step(2)).toEqual({ outcome: 'waiting' });
    }
    expect(at.models.requests).toHaveLength(before);
  });

  it('is cancelled while it waits', async () => {
    const { now, step, store, session } = await down();
    await store.records.requestCancel(session.id, anEvent({ type: 'session_cancelling' }));
    const cancelling = await now();
    expect(cancelling).toMatchObject({ status: 'cancelling', version: 3 });
    expect(cancelling).not.toHaveProperty('waiting');
    expect(await step(2)).toEqual({ outcome: 'stale' });
  });

  it('follows advice that arrived while it waited', async () => {
    const { store, session, due, step, decision } = await down();
    const guidance = aGuidance({ revision: 2 });
    const from = { revision: 1, stage: 'deciding', cycle: 2 } as const;
    expect(await store.records.advise({ sessionId: session.id, from, guidance, events: [] })).toBe('applied');
    at.models.play(choosing('phenix.predict_and_build'));
    expect(await due(30)).toHaveLength(1);
    expect(await step(2)).toEqual({ outcome: 'advanced' });
    expect(await decision()).toMatchObject({ decidedBy: 'model', guidance: 2 });
  });

  it('is taken over by another worker when its own is killed at the end of a check', async () => {
    at.models.play({ fault: 'overloaded' });
    const { dies, session, worker, store, clock } = await waiting();
    await dies();
    expect(await store.records.load(session.id)).toMatchObject({ version: 1, stage: 'deciding' });
    clock.forward(30_000);
    expect(await store.schedule.overdue(10)).toMatchObject([{ id: session.id, version: 1 }]);
    expect(await worker().step()).toEqual({ outcome: 'waiting' });
    expect((await store.records.load(session.id))?.waiting).toBeDefined();
  });
});
