import type {
  SessionUpdate,
  SessionUpdatePage,
  SessionRequest,
  SessionStatus,
  StreamNotice,
} from '@fleet/contracts/sessions';
import { Fault } from '@fleet/contracts/faults';
import { aNewSession, anEvent, anId, aRequest, eventually, useStarted } from '@fleet/testing';
import { KeyedGateway } from './keyed-gateway';
import { GatewayHarness, type HarnessOptions } from './gateway-harness';
import { StreamReader } from './stream-reader';
import { waitsAtOnce } from './waits-at-once';

const stream = { accept: 'text/event-stream' };
const json = { accept: 'application/json' };

/** Writes events of sessions by their messages. */
const teller = ({ store }: GatewayHarness) => {
  const made = async (message: string, request: Partial<SessionRequest> = {}): Promise<string> => {
    const id = anId();
    await store.records.create(
      aNewSession({ id, request: aRequest({ proposal: 'mx1', beamline: '', submitter: '', ...request }) }),
      [anEvent({ message })],
      1000,
    );
    return id;
  };
  const end = async (id: string): Promise<void> => {
    const { version = 0 } = (await store.records.loadHead(id)) ?? {};
    const to = { ended: { reason: 'converged', detail: 'done', afterCycle: 1 } } as const;
    const events = [anEvent({ type: 'session_ended', message: `the end of ${id}` })];
    await store.records.advance({ sessionId: id, fromVersion: version, to, events, dueInMs: 1 });
  };
  return { made, end };
};

const messagesOf = (updates: readonly SessionUpdate[]): readonly string[] =>
  updates.flatMap(({ events }) => events.map(({ message }) => message));

const noticesIn = (reader: StreamReader, event: string): readonly StreamNotice[] =>
  reader.frames.filter((frame) => frame.event === event).map(({ data = '' }) => JSON.parse(data) as StreamNotice);

describe('events of many sessions', () => {
  let gateway: GatewayHarness;
  let url: string;
  let tell: ReturnType<typeof teller>;
  const start = async (options: HarnessOptions = {}): Promise<void> => {
    gateway = await GatewayHarness.start(options);
    url = await gateway.listen();
    tell = teller(gateway);
  };
  beforeEach(() => start());
  afterEach(() => gateway.stop());

  const open = async (query = '', headers: Record<string, string> = {}): Promise<StreamReader> => {
    const reader = await StreamReader.open(`${url}/v1/events${query}`, { ...stream, ...headers });
    await reader.until(({ frames }) => frames.length > 1 || headers['last-event-id'] !== undefined);
    return reader;
  };

  it('send each transition after the ready event, with the current session', async () => {
    await tell.made('before');
    const reader = await open();
    expect(reader.frames[1]).toMatchObject({ event: 'ready', data: '{}' });
    const id = await tell.made('one', { title: 'lysozyme', proposal: 'mx1' });
    await tell.end(id);
    await reader.until(({ updates }) => updates.length === 2);
    expect(reader.updates).toMatchObject([
      { session: { id, title: 'lysozyme', proposal: 'mx1' }, events: [{ message: 'one' }] },
      { session: { id, status: 'completed', outcome: 'solved' }, was: 'running', events: [{ type: 'session_ended' }] },
    ]);
    reader.leave();
  });

  it('lose and repeat no event over many reconnections', async () => {
    const [first] = (await open()).frames.slice(1);
    let cursor = first?.id ?? '';
    const wanted = Array.from({ length: 40 }, (_, index) => `m${String(index)}`);
    const telling = (async (): Promise<void> => {
      for (const message of wanted) await tell.made(message);
    })();
    const heard: string[] = [];
    while (heard.length < wanted.length) {
      const reader = await open('', { 'last-event-id': cursor });
      await reader.until(({ updates }) => updates.length > 0);
      reader.leave();
      heard.push(...messagesOf(reader.updates));
      cursor = reader.lastId;
    }
    await telling;
    expect(heard).toEqual(wanted);
  });

  it.each([
    ['proposal=mx1', ['a', 'b']],
    ['beamline=i04', ['b']],
    ['submitter=ada', ['a']],
    ['batch=campaign-1', ['c']],
    ['status=running', ['a', 'b', 'c']],
    ['status=completed', []],
    ['proposal=mx1&beamline=i03', []],
  ])('filter like lists: %s', async (query, expected) => {
    const { next } = (await gateway.get('/v1/events', json)).json() as SessionUpdatePage;
    await tell.made('a', { proposal: 'mx1', submitter: 'ada' });
    await tell.made('b', { proposal: 'mx1', beamline: 'i04' });
    await tell.made('c', { proposal: 'mx2', batch: 'campaign-1' });
    // An open transaction of another test holds back what was written after it began.
    await eventually('all three', async () => (await gateway.store.feed.after(next, 10)).entries.length === 3);
    const { updates, missed } = (
      await gateway.get(`/v1/events?after=${next}&${query}`, json)
    ).json() as SessionUpdatePage;
    expect([messagesOf(updates), missed]).toEqual([expected, false]);
  });

  it('notify a list of one status or outcome about sessions that leave it', async () => {
    const reader = await open('?status=running');
    const id = await tell.made('a');
    // An update has its session as it is when it is read: ended already, its beginning would not be of this list.
    await reader.until(({ updates }) => updates.length === 1);
    await tell.end(id);
    await reader.until(({ updates }) => updates.length === 2);
    expect(reader.updates.map(({ session }): SessionStatus => session.status).at(-1)).toBe('completed');
    const { status, version = 0 } = (await gateway.store.records.loadHead(id)) ?? {};
    expect(status).toBe('completed');
    const solved = await open('?outcome=solved');
    const to = { stage: 'deciding', cycle: 1, attempt: 1 } as const;
    const events = [anEvent({ type: 'session_resumed', message: 'on' })];
    await gateway.store.records.reopen({ sessionId: id, fromVersion: version, to, events, dueInMs: 1 });
    await solved.until(({ updates }) => updates.length === 1);
    expect(solved.updates).toMatchObject([{ was: 'completed', session: { status: 'running' } }]);
    reader.leave();
    solved.leave();
  });

  it('report an unknown cursor, and continue from now', async () => {
    const reader = await open('', { 'last-event-id': '9999999999999-0' });
    await reader.until(({ frames }) => frames.some(({ event }) => event === 'reload'));
    expect(noticesIn(reader, 'reload')).toMatchObject([{ code: 'events.not_kept' }]);
    await tell.made('after');
    await reader.until(({ updates }) => updates.length === 1);
    expect(messagesOf(reader.updates)).toEqual(['after']);
    const missed = await gateway.get('/v1/events?after=9999999999999-0', json);
    expect(missed.json()).toMatchObject({ missed: true, updates: [] });
    reader.leave();
  });

  it('send an idle client its cursor from time to time', async () => {
    const reader = await open('?proposal=nobodys');
    for (let cursor = reader.lastId, moved = 0; moved < 2; cursor = reader.lastId) {
      await tell.made('not for them');
      await reader.until(({ lastId }) => lastId !== cursor);
      moved += 1;
    }
    expect(reader.updates).toEqual([]);
    reader.leave();
  });

  it('wait once for all clients', async () => {
    const atOnce = waitsAtOnce(gateway.store.feed);
    const readers = await Promise.all(Array.from({ length: 30 }, () => open()));
    await tell.made('one');
    for (const reader of readers) await reader.until(({ updates }) => updates.length === 1);
    expect(atOnce()).toBe(1);
    for (const reader of readers) reader.leave();
  });

  it('continue by themselves after an outage of the store', async () => {
    const reader = await open();
    jest.spyOn(gateway.store.index, 'rows').mockRejectedValueOnce(new Fault('store.unreachable', 'transient', 'away'));
    await tell.made('one');
    await reader.until(({ updates }) => updates.length === 1);
    expect(messagesOf(reader.updates)).toEqual(['one']);
    expect(noticesIn(reader, 'away')).toHaveLength(1);
    reader.leave();
  });

  it('end without an end event when the gateway stops, so that clients reconnect', async () => {
    const reader = await open();
    const stopping = gateway.app.close();
    await reader.until(({ closed }) => closed);
    expect(noticesIn(reader, 'end')).toEqual([]);
    await stopping;
  });

  it.each(['?after=x', '?status=nothing', '?limit=1', '?text=a'])('refuses %s', async (query) => {
    expect((await gateway.get(`/v1/events${query}`, json)).status).toBe(400);
    expect((await gateway.get('/v1/events', { ...json, 'last-event-id': 'x' })).status).toBe(400);
  });
});

describe('events of many sessions, with keys', () => {
  const members: Record<string, string[]> = { ada: ['mx1', 'mx2'] };
  let url: string;
  let tell: ReturnType<typeof teller>;
  const keyed = useStarted('test', () => KeyedGateway.withKeys(members));
  beforeEach(async () => {
    url = await keyed.listen();
    tell = teller(keyed);
  });

  const open = async (headers: Record<string, string>, query = ''): Promise<StreamReader> => {
    const reader = await StreamReader.open(`${url}/v1/events${query}`, { ...stream, ...headers });
    await reader.until(({ frames }) => frames.some(({ event }) => event === 'ready'));
    return reader;
  };

  it('never show foreign sessions, with any filter', async () => {
    const staff = await keyed.key('eve', 'staff', { proposals: ['mx1'], beamlines: ['i04'] });
    const readers = [await open(staff), await open(staff, '?proposal=mx3'), await open(staff, '?beamline=i03')];
    const kiosk = await open(await keyed.key('screen', 'kiosk', { beamlines: ['i04'] }));
    const nobody = await open(await keyed.key('none', 'user'));
    await tell.made('foreign', { proposal: 'mx3', beamline: 'i03' });
    await tell.made('nameless', { proposal: 'mx3', beamline: '' });
    await tell.made('own', { proposal: 'mx1' });
    await tell.made('at the beamline', { proposal: 'mx3', beamline: 'i04' });
    const all = await open(await keyed.key('root', 'admin'));
    await tell.made('last', { proposal: 'mx1', beamline: 'i04' });
    await readers[0]?.until(({ updates }) => updates.length === 3);
    await readers[1]?.until(({ updates }) => updates.length === 1);
    await kiosk.until(({ updates }) => updates.length === 2);
    // Its stream may begin a little earlier than it was opened: at what no transaction of the server can still change.
    await all.until(({ updates }) => messagesOf(updates).includes('last'));
    expect(readers.map(({ updates }) => messagesOf(updates))).toEqual([
      ['own', 'at the beamline', 'last'],
      ['at the beamline'],
      [],
    ]);
    expect(kiosk.updates.map(({ events }) => events)).toEqual([[], []]);
    expect(nobody.updates).toEqual([]);
    for (const reader of [...readers, kiosk, nobody, all]) reader.leave();
  });

  it('show no more events of a proposal that the user has left', async () => {
    const reader = await open(await keyed.key('ada', 'user'));
    const isShown = async (proposal: string): Promise<boolean> => {
      const [theirs, marker] = [anId(), anId()];
      await tell.made(theirs, { proposal });
      await tell.made(marker, { proposal: 'mx1' });
      await reader.until(({ updates }) => messagesOf(updates).includes(marker));
      return messagesOf(reader.updates).includes(theirs);
    };
    expect(await isShown('mx2')).toBe(true);
    members['ada'] = ['mx1'];
    while (await isShown('mx2'));
    for (let again = 0; again < 5; again += 1) expect(await isShown('mx2')).toBe(false);
    reader.leave();
  });

  it('end with the key, and report it', async () => {
    const ada = await keyed.key('ada', 'user');
    const reader = await open(ada);
    const id = ada['authorization']?.slice(11, 27) ?? '';
    await keyed.store.keys.revoke(id, { revokedAt: new Date().toISOString(), revokedBy: 'root' });
    await reader.until(({ closed }) => closed);
    expect(noticesIn(reader, 'end')).toMatchObject([{ code: 'events.not_admitted' }]);
    expect((await fetch(`${url}/v1/events`, { headers: { ...stream, ...ada } })).status).toBe(401);
  });
});
