import type { Statistics } from '@fleet/contracts/statistics';
import { aNewSession, aRequest, ManualClock } from '@fleet/testing';
import { runPhx } from '../cli/scripted-terminal';
import { openStore, startServers, type OpenStore, type Servers } from '../support/servers';
import { KeyedGateway } from './keyed-gateway';

describe('GET /v1/statistics', () => {
  let servers: Servers;
  let open: OpenStore;
  let keyed: KeyedGateway;
  beforeAll(async () => {
    servers = await startServers();
    const clock = new ManualClock();
    open = await openStore(servers.databaseUrl, clock);
    const { store } = open;
    keyed = await KeyedGateway.withKeys({}, { store });
    const start = Date.parse('2026-11-21T08:00:00.000Z');
    const sessions = [
      ['mx1', 'i04', 'converged', 30],
      ['mx1', 'i03', 'max_cycles', 90],
      ['=mx2', 'i04', 'converged', 60],
    ] as const;
    for (const [proposal, beamline, reason, minutes] of sessions) {
      const createdAt = new Date(clock.now()).toISOString();
      const made = aNewSession({ createdAt, request: aRequest({ proposal, beamline }) });
      await store.records.create(made, [], 1000);
      clock.forward(minutes * 60_000);
      const to = { ended: { reason, detail: 'done', afterCycle: 1 } };
      await store.records.advance({ sessionId: made.id, fromVersion: 1, to, events: [], dueInMs: 1 });
    }
    expect(clock.now() - start).toBe(180 * 60_000);
  });
  afterAll(async () => {
    await keyed.stop();
    await open.close();
    await servers.stop();
  });

  const groupsFor = async (headers: Record<string, string>, query: string): Promise<unknown> => {
    const answer = await keyed.get(`/v1/statistics${query}`, headers);
    return (answer.json() as Statistics).groups.map(({ key, sessions, outcomes, toEnd }) => [
      key,
      sessions,
      outcomes.solved,
      toEnd?.p95,
    ]);
  };

  it('covers only visible sessions', async () => {
    const admin = await keyed.key('root', 'admin');
    const user = await keyed.key('ada', 'user', { proposals: ['mx1'] });
    const staff = await keyed.key('sam', 'staff', { beamlines: ['i04'] });
    const nobody = await keyed.key('eve', 'user');
    expect(await groupsFor(admin, '')).toEqual([['2026-11', 3, 2, 5400]]);
    expect(await groupsFor(user, '?by=proposal')).toEqual([['mx1', 2, 1, 5400]]);
    expect(await groupsFor(staff, '?by=beamline')).toEqual([['i04', 2, 2, 3600]]);
    expect(await groupsFor(user, '?by=beamline&beamline=i03')).toEqual([['i03', 1, 0, 5400]]);
    expect(await groupsFor(user, '?proposal=mx3')).toEqual([]);
    expect(await groupsFor(nobody, '')).toEqual([]);
  });

  it('is limited to a period, which it names', async () => {
    const admin = await keyed.key('root', 'admin');
    const query = '?by=proposal&since=2026-11-21T08:30:00Z&until=2026-11-21T09:00:00Z';
    const found = (await keyed.get(`/v1/statistics${query}`, admin)).json() as Statistics;
    expect(found).toMatchObject({
      by: 'proposal',
      since: '2026-11-21T08:30:00.000Z',
      until: '2026-11-21T09:00:00.000Z',
      groups: [{ key: 'mx1', sessions: 1, outcomes: { failed_science: 1 } }],
    });
    const refused = await keyed.get('/v1/statistics?by=colour&status=running', admin);
    expect([refused.status, refused.json()]).toMatchObject([400, { problems: [{ field: 'status' }, { field: 'by' }] }]);
    const kiosk = await keyed.key('wall', 'kiosk', { beamlines: ['i04'] });
    expect((await keyed.get('/v1/statistics', kiosk)).status).toBe(403);
  });

  it('is also available as a table without formulas', async () => {
    const admin = await keyed.key('root', 'admin');
    const { headers, text } = await keyed.get('/v1/statistics.csv?by=proposal', admin);
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="statistics-by-proposal.csv"',
    ]);
    expect(text.split('\r\n')).toEqual([
      'proposal,sessions,unended,solved,goal_reached,unfinished,unsatisfactory,failed_science,failed_infrastructure,rejected,cancelled,unknown,first_r_free_p50_s,first_r_free_p95_s,end_p50_s,end_p95_s,core_hours,gpu_hours',
      'mx1,2,0,1,0,0,0,1,0,0,0,0,,,1800,5400,0.000,0.000',
      `"'=mx2",1,0,1,0,0,0,0,0,0,0,0,,,3600,3600,0.000,0.000`,
      '',
    ]);
  });

  it('is shown by phx stats', async () => {
    const { authorization = '' } = await keyed.key('root', 'admin');
    const apiKey = authorization.replace('Bearer ', '');
    const url = await keyed.listen();
    const shown = await runPhx(['--server', url, 'stats', '--by', 'beamline'], { apiKey });
    expect([shown.code, shown.out.split('\n').map((line) => line.split(/ {2,}/))]).toEqual([
      0,
      [
        ['BEAMLINE', 'SESSIONS', 'SOLVED', 'TO R-FREE P50, P95', 'TO END P50, P95', 'CORE H', 'GPU H', 'OUTCOMES'],
        ['i04', '2', '100 %', '-', '30 min 00 s, 1 h 00 min', '0.0', '0.0', 'solved 2'],
        ['i03', '1', '0 %', '-', '1 h 30 min, 1 h 30 min', '0.0', '0.0', 'failed_science 1'],
        [''],
      ],
    ]);
    const table = await runPhx(['--server', url, 'stats', '--csv'], { apiKey });
    expect(table.out).toMatch(/^month,sessions,.*\n2026-11,3,0,2,/);
    const none = await runPhx(['--server', url, 'stats', '--proposal', 'mx9'], { apiKey });
    expect(none.out).toBe('No sessions.\n');
  });
});
