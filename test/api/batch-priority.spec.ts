import type { BatchPriority, BatchView } from '@fleet/contracts/batches';
import type { ProblemDetails, Session } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { BatchClient } from './batch-client';
import { KeyedGateway } from './keyed-gateway';
import { GatewayHarness, type JsonAnswer } from './gateway-harness';

describe('the priority of a batch', () => {
  const gateway = useStarted('test', () => GatewayHarness.start());
  beforeEach(() => {
    gateway.file('x.sca');
  });

  const make = (body: object, headers: Record<string, string> = {}): Promise<JsonAnswer> =>
    gateway.send('POST', '/v1/batches', { body: { base: gateway.data, proposal: 'mx1', ...body }, headers });
  const made = async (body: object): Promise<string> => ((await make(body)).json() as BatchView).id;
  const row = (title: string, more: object = {}): object => ({ files: ['x.sca'], title, ...more });
  const post = (id: string, what: string, body?: unknown): Promise<JsonAnswer> =>
    gateway.send('POST', `/v1/batches/${id}/${what}`, { body });
  const change = (id: string, priority: unknown): Promise<JsonAnswer> => post(id, 'priority', { priority });
  const { send, shown, until, lookedAt } = new BatchClient(gateway);
  const addRow = (id: string, title: string): Promise<JsonAnswer> => send(id, `files,title\nx.sca,${title}\n`);
  const allowLive = (liveAllowedFor: readonly string[]): Promise<JsonAnswer> =>
    gateway.send('PUT', '/v1/admin/shares', { body: { policy: { liveAllowedFor } } });
  const prioritiesOf = async (id: string): Promise<readonly string[]> => {
    const { sessions } = await gateway.store.index.list({ batch: id }, 100);
    const loaded = await Promise.all(sessions.map((session) => gateway.store.records.load(session.id)));
    return loaded.map((session) => `${session?.request.title ?? ''} ${session?.request.priority ?? ''}`).sort();
  };
  const problemsOf = (answer: JsonAnswer): unknown => {
    const { problems = [] } = answer.json() as ProblemDetails;
    return [answer.status, problems.map(({ field, code, allowed }) => `${field} ${code ?? ''}: ${allowed ?? ''}`)];
  };

  it('applies to rows without a priority of their own', async () => {
    const rows = [row('a'), row('b', { priority: 'standard' }), row('c', { priority: 'urgent' })];
    const id = await made({ defaults: { priority: 'backfill' }, rows });
    expect(await lookedAt(id)).toMatchObject({
      defaults: { priority: 'backfill' },
      states: { accepted: 2, rejected: 1 },
    });
    expect(await prioritiesOf(id)).toEqual(['a backfill', 'b standard']);
  });

  it('is live only if the site allows it', async () => {
    const live = { defaults: { priority: 'live', beamline: 'i04' }, rows: [row('a')] };
    const refused = [422, ['defaults.priority field.value: standard, backfill']];
    expect(problemsOf(await make(live))).toEqual(refused);
    expect((await gateway.store.batches.list({}, 10)).batches).toEqual([]);
    await allowLive(['i04']);
    const allowed = await make(live, { 'idempotency-key': 'visit' });
    const { id } = allowed.json() as BatchView;
    await lookedAt(id);
    expect(await prioritiesOf(id)).toEqual(['a live']);
    await allowLive([]);
    expect([(await make(live, { 'idempotency-key': 'visit' })).status, await prioritiesOf(id)]).toEqual([
      201,
      ['a live'],
    ]);
    expect(problemsOf(await make(live))).toEqual(refused);
    expect(problemsOf(await change(id, 'live'))).toEqual([400, ['priority field.value: standard, backfill']]);
    expect(await shown(id)).not.toHaveProperty('priority');
  });

  it('changes for rows that are not sessions yet, and lists the unchanged rows', async () => {
    const id = await made({ rows: [row('a', { priority: 'standard' })] });
    await lookedAt(id);
    await post(id, 'pause');
    for (const title of ['b', 'c']) await addRow(id, title);
    const changed = await change(id, 'backfill');
    expect([changed.status, changed.json()]).toEqual([
      200,
      {
        priority: 'backfill',
        rows: 2,
        sessions: 1,
        message:
          'priority backfill for rows that start from now on: 2 so far; 1 row is a session already and keeps its own',
      } satisfies BatchPriority,
    ]);
    expect((await change(id, 'backfill')).json()).toEqual(changed.json());
    expect(await shown(id)).toMatchObject({ priority: 'backfill', status: 'paused', states: { waiting: 2 } });
    await post(id, 'resume');
    await addRow(id, 'd');
    await lookedAt(id);
    expect(await prioritiesOf(id)).toEqual(['a standard', 'b backfill', 'c backfill', 'd backfill']);
  });

  it('overrides priorities of rows, and still reports their problems', async () => {
    const id = await made({ start: 'together' });
    await change(id, 'backfill');
    await send(id, 'files,title,priority\nx.sca,a,live\nx.sca,b,urgent\n', 'text/csv', '?complete=true');
    expect(await lookedAt(id)).toMatchObject({ states: { checked: 1, rejected: 1 } });
  });

  it('stays unchanged when the change is refused', async () => {
    const id = await made({});
    expect(problemsOf(await change(id, 'urgent'))).toEqual([400, ['priority field.value: live, standard, backfill']]);
    expect(problemsOf(await post(id, 'priority', {}))).toEqual([
      400,
      ['priority field.missing: live, standard, backfill'],
    ]);
    expect((await change('00000000000000000000000000', 'backfill')).status).toBe(404);
    await post(id, 'cancel');
    const cancelled = await change(id, 'backfill');
    expect([cancelled.status, (cancelled.json() as ProblemDetails).code]).toEqual([409, 'batch.cancelled']);
    expect(await shown(id)).not.toHaveProperty('priority');
  });

  it('does not create a second session for a row that was interrupted between its session and its state', async () => {
    const { batches } = gateway.store;
    const settle = jest.spyOn(batches, 'settle').mockRejectedValueOnce(new Error('killed'));
    const id = await made({ rows: [row('a')] });
    await until(id, ({ sessions }) => sessions.running === 1);
    expect(await shown(id)).toMatchObject({ states: { waiting: 1 } });
    expect((await change(id, 'backfill')).json()).toMatchObject({ rows: 1, sessions: 0 });
    await addRow(id, 'b');
    await batches.putOff(id, [1], 0);
    await lookedAt(id);
    const settled = settle.mock.calls.flatMap(([, results]) => results.map((result) => result.row));
    expect([settled.sort(), await prioritiesOf(id)]).toEqual([
      [1, 1, 2],
      ['a standard', 'b backfill'],
    ]);
    const [first] = await batches.rows(id, 0, 1);
    const session: Session | undefined = await gateway.store.records.load(first?.session ?? '');
    expect([first?.state, session?.request.title]).toEqual(['accepted', 'a']);
  });
});

it('the audit log records the old and the new priority of a batch', async () => {
  const keyed = await KeyedGateway.withKeys();
  const headers = await keyed.key('ada', 'user', { proposals: ['mx1'] });
  const id = await keyed.batch('mx1');
  for (const priority of ['standard', 'backfill'])
    await keyed.send('POST', `/v1/batches/${id}/priority`, { body: { priority }, headers });
  const admin = await keyed.key('root', 'admin');
  const { entries } = (await keyed.get(`/v1/admin/audit?object=batch ${id}`, admin)).json() as {
    readonly entries: readonly object[];
  };
  expect(entries).toMatchObject([
    {
      who: 'ada',
      action: 'batch.change',
      outcome: 'done',
      before: { priority: 'standard' },
      after: { priority: 'backfill', rows: 0, sessions: 0 },
    },
    { before: {}, after: { priority: 'standard' } },
  ]);
  await keyed.stop();
});
