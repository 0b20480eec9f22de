import { Fault } from '@fleet/contracts/faults';
import type { DeadStepsView, StepsDropped, StepsRetried } from '@fleet/contracts/queues';
import type { FailedJob } from '@fleet/ports';
import { anEvent, aNewSession, anId, ManualClock, useStores, type TestStore, useStarted } from '@fleet/testing';
import { PlainFailedJobs } from './failed-jobs.fake';
import { GatewayHarness } from './gateway-harness';

const began = Date.parse('2026-11-23T08:00:00.000Z');

/** One wake-up of a session's first step that failed. */
const aFailure = (sessionId: string, changes: Partial<FailedJob> = {}): FailedJob => ({
  queue: 'decisions',
  id: `${sessionId}-v1-w0`,
  job: 'decide',
  of: { sessionId, sessionVersion: 1 },
  reason: 'knowledge.invalid: a rule is damaged',
  failedAt: began,
  stack: ['Fault: a rule is damaged', '    at decide'],
  ...changes,
});

const newStore = useStores();

describe('dead steps', () => {
  let clock: ManualClock;
  let store: TestStore;
  let failed: PlainFailedJobs;
  const gateway = useStarted('test', () => {
    clock = new ManualClock();
    store = newStore(clock);
    failed = new PlainFailedJobs([]);
    return GatewayHarness.start({ store, failedJobs: failed });
  });

  const aRunning = async (): Promise<string> => {
    const id = anId();
    await store.records.create(aNewSession({ id, folder: `${gateway.work}/mx1/${id}` }), [], 60_000);
    await store.schedule.acknowledge(id, 1);
    return id;
  };
  const aGivenUp = async (reason: 'error' | 'converged' = 'error'): Promise<string> => {
    const id = await aRunning();
    const to = { ended: { reason, detail: 'The service could not decide cycle 1.', afterCycle: 1 } } as const;
    await store.records.advance({ sessionId: id, fromVersion: 1, to, events: [anEvent()], dueInMs: 0 });
    return id;
  };
  const list = async (query = ''): Promise<DeadStepsView> =>
    (await gateway.get(`/v1/admin/steps${query}`)).json() as DeadStepsView;
  const retry = async (body: unknown): Promise<StepsRetried> =>
    (await gateway.send('POST', '/v1/admin/steps/retry', { body })).json() as StepsRetried;
  const drop = async (body: unknown): Promise<StepsDropped> =>
    (await gateway.send('POST', '/v1/admin/steps/drop', { body })).json() as StepsDropped;
  const due = async (): Promise<readonly string[]> => (await store.schedule.overdue(10)).map(({ id }) => id);

  it('are listed by cause, the oldest first, with the outcome of their sessions', async () => {
    const [woken, givenUp, over] = [await aRunning(), await aGivenUp(), await aGivenUp('converged')];
    failed.jobs = [
      aFailure(woken, { failedAt: began + 60_000, reason: 'no colon in it' }),
      aFailure(givenUp, { id: `${givenUp}-v1-w1`, failedAt: began + 30_000 }),
      aFailure(givenUp),
      aFailure(over),
      { queue: 'analyses', id: 'odd', job: 'analyse', reason: 'odd', failedAt: began, stack: [] },
    ];
    const view = await list();
    expect(view.steps).toMatchObject([
      { id: `${givenUp}-v1`, state: 'given_up', cause: 'knowledge.invalid', failures: 2, sessionId: givenUp },
      { id: `${woken}-v1`, state: 'woken', cause: 'other', failures: 1 },
    ]);
    expect(view.steps[0]).toMatchObject({ firstAt: '2026-11-23T08:00:00.000Z', lastAt: '2026-11-23T08:00:30.000Z' });
    expect(view.causes.map(({ cause, steps }) => [cause, steps])).toEqual([
      ['knowledge.invalid', 1],
      ['other', 1],
    ]);
    expect((await list('?state=past')).steps.map(({ id }) => id)).toEqual([`${over}-v1`, 'odd']);
    expect(await list('?limit=1')).toMatchObject({ steps: [{ id: `${givenUp}-v1` }], more: 1 });
    expect((await list('?cause=other')).steps.map(({ id }) => id)).toEqual([`${woken}-v1`]);
    expect((await list('?queue=analyses')).steps).toEqual([]);
  });

  it('are shown with the location of the failure', async () => {
    const id = await aRunning();
    failed.jobs = [aFailure(id)];
    const answer = await gateway.get(`/v1/admin/steps/${id}-v1`);
    expect(answer.json()).toMatchObject({ id: `${id}-v1`, stack: ['Fault: a rule is damaged', '    at decide'] });
    const unknown = await gateway.get('/v1/admin/steps/nothing');
    expect([unknown.status, unknown.json()]).toMatchObject([404, { code: 'step.not_found' }]);
  });

  it('are retried one at a time, at the requested rate', async () => {
    const [first, second, third] = [await aGivenUp(), await aRunning(), await aGivenUp()];
    failed.jobs = [
      aFailure(first),
      aFailure(second, { failedAt: began + 1 }),
      aFailure(third, { failedAt: began + 2 }),
    ];
    const result = await retry({ cause: 'knowledge.invalid', perMinute: 6 });
    expect(result).toEqual({
      retried: [
        { id: `${first}-v1`, sessionId: first, inSeconds: 0 },
        { id: `${second}-v1`, sessionId: second, inSeconds: 10 },
        { id: `${third}-v1`, sessionId: third, inSeconds: 20 },
      ],
      unchanged: [],
    });
    expect(await store.records.load(first)).toMatchObject({ status: 'running', stage: 'deciding', version: 3 });
    expect(failed.jobs).toEqual([]);
    // Only the sweepers send wake-ups, each when it is due.
    expect(gateway.woken).toEqual([]);
    await expect(store.schedule.unacknowledged(0, 10)).resolves.toEqual([]);
    expect(await due()).toEqual([first]);
    clock.forward(10_000);
    expect(await due()).toEqual([first, second]);
    clock.forward(10_000);
    expect(await due()).toEqual([first, second, third]);
  });

  it('are no longer retried when the store or the queue is unavailable, and the audit log lists earlier retries', async () => {
    const [first, second, third] = [await aRunning(), await aRunning(), await aRunning()];
    failed.jobs = [first, second, third].map((id, nth) => aFailure(id, { failedAt: began + nth }));
    const postpone = store.schedule.postpone.bind(store.schedule);
    let calls = 0;
    jest.spyOn(store.schedule, 'postpone').mockImplementation((...args) => {
      calls += 1;
      if (calls > 1) throw new Fault('store.unreachable', 'transient', 'the session store cannot be reached');
      return postpone(...args);
    });
    const answer = await gateway.send('POST', '/v1/admin/steps/retry', { body: { cause: 'knowledge.invalid' } });
    expect([answer.status, calls]).toEqual([503, 2]);
    jest.restoreAllMocks();
    jest.spyOn(failed, 'forget').mockRejectedValue(new Fault('queue.unreachable', 'transient', 'the queue is away'));
    const again = await gateway.send('POST', '/v1/admin/steps/retry', { body: { steps: [`${second}-v1`] } });
    expect(again.status).toBe(503);
    jest.restoreAllMocks();
    const audit = (await gateway.get('/v1/admin/audit?object=dead%20steps')).json();
    expect(audit).toMatchObject({
      entries: [
        { after: { retried: [`${second}-v1`] }, outcome: 'failed' },
        { after: { retried: [`${first}-v1`] }, outcome: 'failed' },
      ],
    });
  });

  it('stay when their session has advanced, or they are unknown', async () => {
    const over = await aGivenUp('converged');
    failed.jobs = [aFailure(over)];
    const result = await retry({ steps: [`${over}-v1`, 'gone'] });
    expect(result.retried).toEqual([]);
    expect(result.unchanged).toMatchObject([
      { id: 'gone', reason: expect.stringContaining('unknown') as string },
      { id: `${over}-v1`, reason: 'Its session has continued meanwhile.' },
    ]);
    expect(failed.jobs).toHaveLength(1);
  });

  it('are dropped with a reason that the audit log records, unless their session waits for them', async () => {
    const [woken, givenUp] = [await aRunning(), await aGivenUp()];
    failed.jobs = [aFailure(woken), aFailure(givenUp)];
    const result = await drop({ steps: [`${woken}-v1`, `${givenUp}-v1`], reason: 'withdrawn' });
    expect(result).toMatchObject({ dropped: [`${givenUp}-v1`], unchanged: [{ id: `${woken}-v1` }] });
    expect(failed.jobs.map(({ of }) => of?.sessionId)).toEqual([woken]);
    expect(await store.records.loadHead(givenUp)).toMatchObject({ status: 'failed' });
    const audit = (await gateway.get('/v1/admin/audit?object=dead%20steps')).json();
    expect(audit).toMatchObject({
      entries: [{ object: 'dead steps', after: { dropped: [`${givenUp}-v1`], reason: 'withdrawn' }, outcome: 'done' }],
    });
  });

  it.each([
    ['retry', {}, 'steps'],
    ['retry', { steps: ['a'], cause: 'b' }, 'steps'],
    ['retry', { cause: 'b', perMinute: 0 }, 'perMinute'],
    ['retry', { steps: [] }, 'steps'],
    ['drop', { cause: 'b' }, 'reason'],
    ['drop', { cause: 'b', reason: 'two\nlines' }, 'reason'],
    ['drop', { cause: 'b', reason: 'x', force: true }, 'force'],
  ])('refuse to %s %j', async (what, body, field) => {
    const answer = await gateway.send('POST', `/v1/admin/steps/${what}`, { body });
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { problems: expect.arrayContaining([expect.objectContaining({ field })]) as unknown },
    ]);
  });
});
