import type { QueuedJobsPage } from '@fleet/contracts/queues';
import type { QueuedJob } from '@fleet/ports';
import { aNewSession, anEvent, anId, aRequest, useStarted } from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';
import { PlainQueuedJobs } from './queued-jobs.fake';

const began = Date.parse('2026-11-23T08:00:00.000Z');
const queues = '/v1/admin/queues';

/** The wake-up of a session at its first version. */
const aJob = (sessionId: string, changes: Partial<QueuedJob> = {}): QueuedJob => ({
  queue: 'decisions',
  id: `${sessionId}-v1-w0`,
  job: 'decide',
  place: 'waiting',
  of: { sessionId, sessionVersion: 1 },
  payload: { version: 1, sessionId, sessionVersion: 1 },
  tries: 0,
  mostTries: 5,
  addedAt: began,
  stack: [],
  ...changes,
});
const unreadable: QueuedJob = {
  queue: 'decisions',
  id: 'odd',
  job: 'decide',
  place: 'waiting',
  payload: { version: 99 },
  tries: 0,
  mostTries: 1,
  addedAt: began + 5,
  stack: [],
};

describe('queued jobs', () => {
  let jobs: PlainQueuedJobs;
  let admin: Record<string, string>;
  let staff: Record<string, string>;
  const keyed = useStarted('test', () => {
    jobs = new PlainQueuedJobs([]);
    return KeyedGateway.withKeys({}, { queuedJobs: jobs });
  });
  beforeEach(async () => {
    admin = await keyed.key('root', 'admin');
    staff = await keyed.key('sam', 'staff', { beamlines: ['i04'] });
  });

  const aSessionAt = async (beamline: string): Promise<string> => {
    const id = anId();
    const request = aRequest({ proposal: 'mx9', beamline });
    const made = aNewSession({ id, folder: `${keyed.work}/mx9/${id}`, request });
    await keyed.store.records.create(made, [anEvent()], 60_000);
    return id;
  };
  const ask = (path: string, headers: Record<string, string>) => keyed.send('GET', `${queues}${path}`, { headers });
  const page = async (query: string, headers = admin): Promise<QueuedJobsPage> =>
    (await ask(`/decisions/jobs${query}`, headers)).json() as QueuedJobsPage;
  const idsOf = ({ jobs: listed }: QueuedJobsPage): readonly string[] => listed.map(({ id }) => id);

  it('are counted by queue and state, with the longest wait', async () => {
    const id = anId();
    jobs.jobs = [aJob(id), aJob(id, { id: 'b', place: 'failed' }), aJob(id, { id: 'c', queue: 'analyses' })];
    expect((await ask('', staff)).json()).toMatchObject({
      queues: [
        {
          name: 'decisions',
          isPaused: false,
          jobs: { active: 0, waiting: 1, delayed: 0, failed: 1 },
          oldestWaitingAt: '2026-11-23T08:00:00.000Z',
        },
        { name: 'executions', jobs: { waiting: 0 } },
        { name: 'analyses', jobs: { waiting: 1 } },
      ],
    });
  });

  it('are listed by state, page by page, oldest or newest first', async () => {
    jobs.jobs = [0, 1, 2].map((at) => aJob(anId(), { id: `j${String(at)}`, addedAt: began + at }));
    expect(await page('?limit=2')).toMatchObject({ jobs: [{ id: 'j0' }, { id: 'j1' }], total: 3, nextOffset: 2 });
    const last = await page('?limit=2&offset=2');
    expect([idsOf(last), last.nextOffset]).toEqual([['j2'], undefined]);
    expect(idsOf(await page('?order=newest'))).toEqual(['j2', 'j1', 'j0']);
    expect(await page('?place=failed')).toEqual({ jobs: [], hidden: 0, total: 0 });
  });

  it('show whether their session still needs them', async () => {
    const id = await aSessionAt('i04');
    jobs.jobs = [
      aJob(id),
      aJob(id, { id: 'old', of: { sessionId: id, sessionVersion: 7 }, addedAt: began + 1 }),
      unreadable,
    ];
    const { jobs: listed } = await page('');
    expect(listed.map(({ relevance }) => relevance)).toEqual(['due', 'stale', 'unknown']);
    expect([listed[0]?.title, listed[2]?.title]).toEqual([aRequest().title, undefined]);
    expect(listed[2]).not.toHaveProperty('sessionId');
  });

  it('of other beamlines are hidden from staff, who see their number', async () => {
    const [own, foreign] = [await aSessionAt('i04'), await aSessionAt('i24')];
    jobs.jobs = [aJob(own), aJob(foreign, { addedAt: began + 1 }), unreadable];
    expect(await page('', staff)).toMatchObject({ jobs: [{ sessionId: own }], hidden: 2, total: 3 });
    expect(idsOf(await page(''))).toHaveLength(3);
    for (const id of [`${foreign}-v1-w0`, 'odd', 'never-was']) {
      const answer = await ask(`/decisions/jobs/${id}`, staff);
      expect([answer.status, answer.json()]).toMatchObject([404, { code: 'job.not_found' }]);
    }
  });

  it('are shown with the payload and the location of the failure', async () => {
    const id = await aSessionAt('i04');
    jobs.jobs = [
      aJob(id, {
        place: 'failed',
        tries: 5,
        reason: 'file.gone: no',
        stack: ['Fault: no', '  at x'],
        endedAt: began + 9,
      }),
    ];
    expect((await ask(`/decisions/jobs/${id}-v1-w0`, staff)).json()).toMatchObject({
      place: 'failed',
      tries: 5,
      mostTries: 5,
      reason: 'file.gone: no',
      stack: ['Fault: no', '  at x'],
      payload: `{"version":1,"sessionId":"${id}","sessionVersion":1}`,
      endedAt: '2026-11-23T08:00:00.009Z',
    });
  });

  it('are for staff, services and administrators, and invalid parameters are named', async () => {
    for (const role of ['user', 'kiosk'] as const) {
      const headers = await keyed.key(role, role, {});
      expect((await ask('', headers)).json()).toMatchObject({ code: 'access.denied' });
    }
    expect((await ask('/decision/jobs', staff)).json()).toMatchObject({
      code: 'queue.not_found',
      detail: 'Unknown queue "decision"; the queues are decisions, executions, analyses.',
    });
    const refused = (await ask('/decisions/jobs?place=completed&limit=0&sort=x', admin)).json() as {
      readonly problems: readonly { readonly field: string }[];
    };
    expect(refused.problems.map(({ field }) => field).sort()).toEqual(['limit', 'place', 'sort']);
  });

  it('can be started early only by an administrator, and only if they are delayed', async () => {
    const id = await aSessionAt('i04');
    jobs.jobs = [aJob(id, { place: 'delayed', beginsAt: began + 60_000 }), aJob(id, { id: 'dead', place: 'failed' })];
    const hasten = (job: string, headers: Record<string, string>) =>
      keyed.send('POST', `${queues}/decisions/jobs/${job}/promotion`, { headers, body: {} });
    expect((await hasten(`${id}-v1-w0`, staff)).json()).toMatchObject({ code: 'access.denied' });
    expect((await hasten(`${id}-v1-w0`, admin)).json()).toMatchObject({ place: 'waiting', relevance: 'due' });
    for (const job of [`${id}-v1-w0`, 'dead'])
      expect((await hasten(job, admin)).json()).toMatchObject({ status: 409, code: 'job.not_delayed' });
    const { entries } = (await keyed.send('GET', '/v1/admin/audit?action=admin.change', { headers: admin })).json() as {
      readonly entries: readonly { readonly object: string; readonly outcome: string }[];
    };
    expect(entries.map(({ object, outcome }) => [object, outcome])).toContainEqual([
      `job ${id}-v1-w0 of decisions`,
      'done',
    ]);
  });
});
