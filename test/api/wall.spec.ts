import { attemptName } from '@fleet/contracts/runs';
import type { SessionUpdatePage, WallView } from '@fleet/contracts/sessions';
import { progressOf } from '@fleet/session-report';
import {
  aCycle,
  aDecision,
  aFile,
  aGuidance,
  anAttempt,
  anEvent,
  anId,
  aNewSession,
  aRequest,
  aResult,
  aSharedRun,
  useStarted,
} from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';
import type { JsonAnswer } from './harness-options';
import { StreamReader } from './stream-reader';

/** Stands in every text of a session that a wall does not show. */
const secret = 'private-to-mx7';
const json = { accept: 'application/json' };

/** A session whose title and beamline are the only texts without the secret. */
const plantSession = async (gateway: KeyedGateway, title: string): Promise<string> => {
  const id = anId();
  const { records } = gateway.store;
  const file = aFile({ path: `/data/${secret}/a.mtz` });
  const fields = { proposal: secret, submitter: secret, advice: secret, batch: secret, inputs: [file] };
  const event = anEvent({ message: secret, data: { path: secret } });
  const request = aRequest({ title, beamline: 'i04', ...fields });
  await records.create(aNewSession({ id, folder: `/work/${secret}/${id}`, request }), [event], 1000);
  const ending = { ...anAttempt().ending!, message: secret };
  const cycleRecord = aCycle({
    decision: aDecision({ reasoning: secret, argv: ['phenix.refine', `/data/${secret}/a.mtz`] }),
    attempts: [anAttempt({ ending })],
    result: aResult({
      summary: secret,
      errorLines: [secret],
      outputs: [file],
      metrics: { r_free: 0.25 },
      fit: { metric: 'r_free', value: 0.25 },
    }),
  });
  const to = { stage: 'executing', cycle: 2, attempt: 1 } as const;
  const reading = aGuidance({ sources: [{ from: 'text', text: secret }] });
  const progress = { ...progressOf({ request, cycles: [cycleRecord] }), waiting: secret };
  const step = { cycleRecord, reading, progress, events: [event], dueInMs: 1 };
  await records.advance({ sessionId: id, fromVersion: 1, to, ...step });
  return id;
};

describe('a wall', () => {
  let kiosk: Record<string, string>;
  let staff: Record<string, string>;
  let running: string;
  let ended: string;
  let cursor: string;
  const keyed = useStarted('test', () => KeyedGateway.withKeys());
  beforeEach(async () => {
    kiosk = await keyed.key('screen', 'kiosk', { beamlines: ['i04'] });
    staff = await keyed.key('sam', 'staff', { beamlines: ['i04'] });
    const { next } = (await keyed.get('/v1/events', { ...json, ...kiosk })).json() as SessionUpdatePage;
    cursor = next;
    running = await plantSession(keyed, 'Insulin');
    ended = await plantSession(keyed, 'Trypsin');
    await keyed.session('mx3', 'i03', 'Of another beamline');
    const to = { ended: { reason: 'converged', detail: secret, afterCycle: 1 } } as const;
    const events = [anEvent({ type: 'session_ended', message: secret })];
    await keyed.store.records.advance({ sessionId: ended, fromVersion: 2, to, events, dueInMs: 1 });
    await keyed.store.slots.waiting(aSharedRun(attemptName(running, 2, 1), { proposal: secret }), 'no_room');
  });

  /** Every address that is read, with its answer to a key. */
  const everything = async (headers: Record<string, string>): Promise<readonly (JsonAnswer & { path: string })[]> => {
    const { paths } = (await keyed.get('/docs-json')).json() as { readonly paths: Record<string, object> };
    const answers: (JsonAnswer & { path: string })[] = [];
    for (const [path] of Object.entries(paths).filter(([, methods]) => 'get' in methods)) {
      const url = path.replace('{id}', running).replace('{cycle}', '1').replace('{path}', 'a.mtz');
      const query = path === '/v1/events' ? `?after=${cursor}` : '';
      answers.push({ path, ...(await keyed.get(`${url}${query}`, { ...json, ...headers })) });
    }
    return answers;
  };

  it('shows a screen its endpoints, without paths, persons, proposals, advice or reasons', async () => {
    const answers = await everything(kiosk);
    const opened = answers.filter(({ status }) => status < 400).map(({ path }) => path);
    expect(opened.toSorted()).toEqual([
      '/health/live',
      '/health/ready',
      '/v1/events',
      '/v1/identity',
      '/v1/maintenance',
      '/v1/me',
      '/v1/metrics',
      '/v1/wall',
    ]);
    expect(answers.filter(({ text }) => text.includes(secret))).toEqual([]);
    // It is there to be found.
    const pathsWithSecret = (await everything(staff))
      .filter(({ text }) => text.includes(secret))
      .map(({ path }) => path);
    expect(pathsWithSecret).toEqual(expect.arrayContaining(['/v1/events', '/v1/sessions', '/v1/sessions/{id}']));
  });

  it('shows the sessions of its beamline, with state and outcome', async () => {
    const { sessions, counts } = (await keyed.get('/v1/wall', kiosk)).json() as WallView;
    expect(sessions.toSorted((one, other) => Number(one.id === ended) - Number(other.id === ended))).toMatchObject([
      { id: running, title: 'Insulin', status: 'running', program: 'phenix.refine', cycle: 2, waiting: true },
      { id: ended, title: 'Trypsin', outcome: 'solved', fit: { metric: 'r_free', value: 0.25 } },
    ]);
    expect(counts).toMatchObject({ sessions: { running: 1, completed: 1 }, outcomes: { solved: 1 }, waiting: 1 });
    expect((await keyed.get('/v1/wall', staff)).json()).toEqual({ counts, sessions });
    const other = (await keyed.get('/v1/wall?beamline=i03', kiosk)).json() as WallView;
    expect(other.sessions).toEqual([]);
  });

  it('streams updates without events to a screen, and with events to other roles', async () => {
    const url = await keyed.listen();
    const open = (headers: Record<string, string>): Promise<StreamReader> =>
      StreamReader.open(`${url}/v1/events?after=${cursor}`, headers);
    const [screen, whole] = [await open(kiosk), await open(staff)];
    for (const reader of [screen, whole]) await reader.until(({ updates }) => updates.length === 5);
    expect(screen.updates[0]).toMatchObject({ session: { id: running, title: 'Insulin' }, events: [] });
    expect(JSON.stringify(screen.frames)).not.toContain(secret);
    expect(JSON.stringify(whole.frames)).toContain(secret);
    for (const reader of [screen, whole]) reader.leave();
  });

  it.each(['submitter=sam', 'batch=campaign-1', 'status=running', 'outcome=solved'])(
    'does not let a screen find out by a filter what its rows do not show: %s',
    async (query) => {
      for (const path of ['/v1/wall', '/v1/events']) {
        const { status } = await keyed.get(`${path}?${query}`, { ...json, ...kiosk });
        expect([path, status]).toEqual([path, 400]);
      }
    },
  );
});
