import { join } from 'node:path';
import type { ProblemDetails, SessionEvent, SessionView } from '@fleet/contracts/sessions';
import { anEvent, anId, aNewSession, aRequest, useStarted } from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';
import { GatewayHarness, type JsonAnswer } from './gateway-harness';

describe('the priority of a session', () => {
  const gateway = useStarted('file', () => GatewayHarness.start());
  beforeAll(() => {
    gateway.file('x.sca');
  });

  const made = async (beamline = ''): Promise<string> => {
    const id = anId();
    const folder = join(gateway.work, 'mx1', id);
    const request = aRequest({ proposal: 'mx1', beamline });
    await gateway.store.records.create(aNewSession({ id, folder, request }), [anEvent()], 1000);
    return id;
  };
  const change = (id: string, priority: unknown, headers: Record<string, string> = {}): Promise<JsonAnswer> =>
    gateway.send('POST', `/v1/sessions/${id}/priority`, { body: { priority }, headers });
  const problemsOf = (answer: JsonAnswer): unknown => {
    const { code, problems = [] } = answer.json() as ProblemDetails;
    return [answer.status, code, ...problems.map(({ field, allowed }) => `${field}: ${allowed ?? ''}`)];
  };
  const eventsOf = async (id: string): Promise<readonly SessionEvent[]> =>
    (await gateway.store.events.after(id, '0', 100)).slice(1);
  const allowLive = (liveAllowedFor: readonly string[]): Promise<JsonAnswer> =>
    gateway.send('PUT', '/v1/admin/shares', { body: { policy: { liveAllowedFor } } });
  const end = async (id: string): Promise<void> => {
    const fromVersion = (await gateway.store.records.loadHead(id))?.version ?? 0;
    const to = { ended: { reason: 'converged', detail: 'enough', afterCycle: 1 } } as const;
    await gateway.store.records.advance({ sessionId: id, fromVersion, to, events: [], dueInMs: 1 });
  };

  it('changes in the record and its file, with an event, and wakes its step', async () => {
    const id = await made();
    const answer = await change(id, 'backfill');
    const session = answer.json() as SessionView;
    expect([answer.status, session.request.priority, session.version]).toEqual([200, 'backfill', 2]);
    expect(answer.headers['etag']).toBe((await gateway.get(`/v1/sessions/${id}`)).headers['etag']);
    expect(await eventsOf(id)).toMatchObject([
      {
        type: 'session_prioritised',
        message: 'Priority backfill from now on; it was standard',
        data: { priority: 'backfill', before: 'standard' },
      },
    ]);
    expect(await gateway.written(id)).toMatchObject({ request: { priority: 'backfill' } });
    expect(gateway.woken.at(-1)).toMatchObject({ id, version: 2 });
  });

  it('changes nothing when the same value is sent again', async () => {
    const id = await made();
    const answers = await Promise.all(Array.from({ length: 8 }, () => change(id, 'backfill')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await gateway.store.records.loadHead(id))?.version).toBe(2);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('is that of the later of two concurrent requests', async () => {
    const id = await made();
    await Promise.all([change(id, 'backfill'), change(id, 'standard'), change(id, 'backfill')]);
    const changes = (await eventsOf(id)).map(({ data }) => [data['before'], data['priority']]);
    for (const [at, [before]] of changes.entries()) expect(before).toBe(at === 0 ? 'standard' : changes[at - 1]?.[1]);
    const stored = await gateway.store.records.load(id);
    expect(stored?.request.priority).toBe(changes.at(-1)?.[1]);
  });

  it('changes only the version in If-Match', async () => {
    const id = await made();
    const { etag = '' } = (await gateway.get(`/v1/sessions/${id}`)).headers;
    await change(id, 'backfill', { 'if-match': String(etag) });
    expect(problemsOf(await change(id, 'standard', { 'if-match': String(etag) }))).toEqual([412, 'session.changed']);
    expect((await change(id, 'standard', { 'if-match': '"1-running", "2-running"' })).status).toBe(200);
  });

  it('is live only if the site allows it, as at the submission', async () => {
    const [id, elsewhere] = [await made('i04'), await made('i24')];
    const refused = [400, 'request.invalid', 'priority: standard, backfill'];
    expect(problemsOf(await change(id, 'live'))).toEqual(refused);
    await allowLive(['i04']);
    expect((await change(id, 'live')).status).toBe(200);
    expect(problemsOf(await change(elsewhere, 'live'))).toEqual(refused);
    await allowLive([]);
    expect((await change(id, 'live')).status).toBe(200);
    expect((await change(id, 'backfill')).status).toBe(200);
    expect(problemsOf(await change(id, 'live'))).toEqual(refused);
  });

  it.each([
    [{}, 'priority: live, standard, backfill'],
    [{ priority: 'urgent' }, 'priority: live, standard, backfill'],
    [{ priority: 'backfill', by: 'me' }, 'by: priority'],
    [undefined, 'body: an object'],
  ])('refuses %j and changes nothing', async (body, ...problems) => {
    const id = await made();
    const answer = await gateway.send('POST', `/v1/sessions/${id}/priority`, { ...(body !== undefined && { body }) });
    expect(problemsOf(answer)).toEqual([400, 'request.invalid', ...problems]);
    expect(await eventsOf(id)).toEqual([]);
  });

  it('cannot change for a session that has ended, is being cancelled or is unknown', async () => {
    const [ended, cancelled] = [await made(), await made()];
    await end(ended);
    expect(problemsOf(await change(ended, 'backfill'))).toEqual([409, 'session.ended']);
    await gateway.send('POST', `/v1/sessions/${cancelled}/cancel`);
    expect(problemsOf(await change(cancelled, 'backfill'))).toEqual([409, 'session.cancelling']);
    expect(problemsOf(await change('00000000000000000000000000', 'backfill'))).toEqual([404, 'session.not_found']);
  });

  it('does not change the submission: a repeated request finds the same session, and a resume keeps the priority', async () => {
    const body = { files: [join(gateway.data, 'x.sca')], title: 'kept', proposal: 'mx1' };
    const submit = (): Promise<JsonAnswer> =>
      gateway.send('POST', '/v1/sessions', { body, headers: { 'idempotency-key': 'the-same' } });
    const { id } = (await submit()).json() as SessionView;
    await change(id, 'backfill');
    const again = await submit();
    expect([again.status, (again.json() as SessionView).id]).toEqual([201, id]);
    await end(id);
    await gateway.send('POST', `/v1/sessions/${id}/resume`, { body: { settings: { max_cycles: 3 } } });
    await change(id, 'live');
    expect((await gateway.store.records.load(id))?.request).toMatchObject({
      priority: 'backfill',
      submittedAs: { priority: 'standard', settings: { max_cycles: 20 } },
    });
    expect((await submit()).status).toBe(201);
  });
});

it('the audit log records the old and the new priority of a session, and read-only callers change none', async () => {
  const keyed = await KeyedGateway.withKeys();
  const headers = await keyed.key('ada', 'user', { proposals: ['mx1'] });
  const id = await keyed.session('mx1');
  const change = (by: Record<string, string>): Promise<JsonAnswer> =>
    keyed.send('POST', `/v1/sessions/${id}/priority`, { body: { priority: 'backfill' }, headers: by });
  expect((await change(headers)).status).toBe(200);
  expect((await change(await keyed.key('eve', 'user', { proposals: ['mx2'] }))).status).toBe(404);
  expect((await change(await keyed.key('wall', 'kiosk', { beamlines: ['i04'] }))).status).not.toBe(200);
  const admin = await keyed.key('root', 'admin');
  const { entries } = (await keyed.get(`/v1/admin/audit?object=session ${id}&who=ada`, admin)).json() as {
    readonly entries: readonly object[];
  };
  expect(entries).toMatchObject([
    {
      action: 'session.change',
      outcome: 'done',
      before: { priority: 'standard' },
      after: { priority: 'backfill' },
    },
  ]);
  await keyed.stop();
});
