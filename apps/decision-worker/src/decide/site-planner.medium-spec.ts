import type { NewSession } from '@fleet/ports';
import { anEvent, aNewSession, eventually } from '@fleet/testing';
import { choosing, modelSite } from '../fixtures/model-site';

const at = modelSite();
const { open } = at;

const workOf = ({ id, request }: NewSession) => ({ session: id, proposal: request.proposal, name: 'c002-plan' });

describe('a decision worker with models', () => {
  it('calls the site’s model, follows its choice, and stores its reply', async () => {
    at.models.play(choosing('phenix.predict_and_build'));
    const { notes, step, decision, replies, metrics } = await open();
    expect(notes).toEqual([
      `Models for the next program, in this order: site (scripted at 127.0.0.1:${at.models.port}, local).`,
    ]);
    expect(await step()).toEqual({ outcome: 'advanced' });
    const made = await decision();
    expect(made).toMatchObject({ program: 'phenix.predict_and_build', decidedBy: 'model', confidence: 'low' });
    expect(made?.planning).toMatchObject({ requests: 1, target: 'site', model: 'scripted' });
    expect(replies()).toEqual([`c002-plan-${made?.planning?.hash?.slice(0, 16) ?? ''}.json`]);
    expect(at.models.requests).toHaveLength(1);
    expect(await metrics.page()).toContain('model_requests_total{target="site",result="answered"} 1\n');
  });

  it('pays once for a step that crashed after the reply', async () => {
    at.models.play(choosing('phenix.predict_and_build'), choosing('phenix.phaser'));
    const { dies, step, decision } = await open();
    await dies();
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect(await decision()).toMatchObject({ program: 'phenix.predict_and_build', planning: { requests: 0 } });
    expect(at.models.requests).toHaveLength(1);
  });

  it('decides once and pays once if two workers process the same step at the same moment', async () => {
    at.models.play({ ...choosing('phenix.predict_and_build'), paceMs: 20 }, choosing('phenix.phaser'));
    const { step, worker, decision, ledger, session } = await open();
    const outcomes = await Promise.all([step(), worker().step()]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['advanced', 'stale']);
    expect(await decision()).toMatchObject({ program: 'phenix.predict_and_build', decidedBy: 'model' });
    expect(at.models.requests).toHaveLength(1);
    expect(await ledger.entries(session.id)).toMatchObject([{ number: 1, work: 'c002-plan', result: 'answered' }]);
  });

  it('marks the request of a worker that was killed during its call as lost, and repeats it', async () => {
    at.models.play(choosing('phenix.predict_and_build'));
    const { step, worker, decision, ledger, session, clock } = await open();
    const work = workOf(session);
    const killed = worker().ledger;
    await killed.hold(work);
    const requested = { target: 'site', model: 'scripted', prompt: 'plan 1', hash: 'ab', at: '2026-11-23T08:00:00Z' };
    await killed.reserve(work, requested, { requests: 1, tokens: 9, cost: 0 }, {});
    clock.forward(15_000);
    expect(await step()).toEqual({ outcome: 'advanced' });
    expect(await decision()).toMatchObject({ decidedBy: 'model', planning: { requests: 1 } });
    expect((await ledger.entries(session.id)).map(({ result }) => result)).toEqual(['lost', 'answered']);
  });

  it('hands the step back when another worker has taken over the work', async () => {
    at.models.play({ fault: 'hang' });
    const { step, worker, session, decision, clock } = await open();
    const stepping = expect(step()).rejects.toMatchObject({ code: 'decision.handed_back', kind: 'transient' });
    await at.requested();
    const other = worker();
    await eventually('the work', () => {
      clock.forward(15_000);
      return other.ledger.hold(workOf(session));
    });
    await stepping;
    expect(await decision()).toBeUndefined();
  });

  it('follows the rules if no model answers, and says so; from then on it calls none', async () => {
    const { step, decision, events, now, decide } = await open({ port: 1 });
    const asItWas = await now();
    await step();
    expect(await decision()).toMatchObject({
      decidedBy: 'rules',
      planning: { failed: 'model_unavailable', requests: 2 },
    });
    expect((await events()).map(({ message }) => message).join('\n')).toContain('The rules chose, for no model gave');
    const next = await decide.work(asItWas);
    expect(next).toHaveProperty('cycleRecord.decision.planning.failed', 'model_unavailable');
    expect(next).toHaveProperty('cycleRecord.decision.planning.requests', 0);
  });

  it('aborts a hanging call when the process ends, and hands the step back', async () => {
    at.models.play({ fault: 'hang' });
    const { site, step, decision } = await open();
    const stepping = expect(step()).rejects.toMatchObject({ code: 'decision.handed_back', kind: 'transient' });
    await at.requested();
    site.onModuleDestroy();
    await stepping;
    expect(await decision()).toBeUndefined();
  });

  it('aborts a hanging call when its session is cancelled', async () => {
    at.models.play({ fault: 'hang' });
    const { step, store, session } = await open();
    const stepping = step();
    await at.requested();
    await store.records.requestCancel(session.id, anEvent({ type: 'session_cancelling' }));
    expect(await stepping).toEqual({ outcome: 'stale' });
  });
});

describe('a decision worker with slow models', () => {
  it('ends a wait between two rounds at once when the reply is no longer needed', async () => {
    const { site } = await open();
    const ending = new AbortController();
    const aDay = 86_400_000;
    const waiting = site.planner(at.ruleBook)?.sleep(aDay, ending.signal);
    ending.abort();
    await waiting;
    await site.planner(at.ruleBook)?.sleep(aDay, ending.signal);
  });

  it('continues beside eight hanging calls, and hands them back when it ends', async () => {
    at.models.play({ fault: 'hang' });
    const { processor, site, lane, store, session, woken } = await open();
    const { request, resume } = session;
    const created = async (one: NewSession) => {
      await store.records.create(one, [], 1000);
      return { version: 1, sessionId: one.id, sessionVersion: 1 } as const;
    };
    const slow = await Promise.all(
      Array.from({ length: 8 }, () => created(aNewSession({ request, ...(resume !== undefined && { resume }) }))),
    );
    const handled = await Promise.all(slow.map((due) => processor.handle(due)));
    expect(handled).toEqual(slow.map(() => ({ outcome: 'waiting' })));
    await at.requested(slow.length);
    // Its first decision leaves no choice.
    expect(await processor.handle(await created(aNewSession({ request })))).toEqual({ outcome: 'advanced' });
    woken.length = 0;
    site.onModuleDestroy();
    await lane.beforeApplicationShutdown();
    expect(woken.toSorted()).toEqual(slow.map(({ sessionId }) => sessionId).toSorted());
    for (const { sessionId } of slow) expect((await store.records.load(sessionId))?.cycles).toHaveLength(1);
  });

  it('aborts a call when its session is cancelled, although its job has ended', async () => {
    at.models.play({ fault: 'hang' });
    const { processor, lane, store, session } = await open();
    expect(await processor.handle({ version: 1, sessionId: session.id, sessionVersion: 1 })).toEqual({
      outcome: 'waiting',
    });
    await at.requested();
    await store.records.requestCancel(session.id, anEvent({ type: 'session_cancelling' }));
    await lane.beforeApplicationShutdown();
    expect((await store.records.load(session.id))?.status).toBe('cancelling');
  });
});

describe('a decision worker without models', () => {
  it('logs that once, and decides as usual', async () => {
    at.models.play(choosing('phenix.predict_and_build'));
    const { notes, site, step, decision } = await open({ roles: 'without' });
    expect(notes).toEqual(['The rules decide alone: FLEET_MODELS_FILE is not set, and no model is asked.']);
    expect(site.planner(at.ruleBook)).toBeUndefined();
    await step();
    const made = await decision();
    expect(made?.decidedBy).toBe('rules');
    expect(Object.keys(made ?? {})).not.toContain('planning');
    expect(at.models.requests).toEqual([]);
  });
});
