import type { StoredEvent } from '@fleet/contracts/sessions';
import { Fault } from '@fleet/contracts/faults';
import { aNewSession, anEvent, anId, useStarted } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';
import { StreamReader } from './stream-reader';
import { waitsAtOnce } from './waits-at-once';

describe('events', () => {
  let url: string;
  let id: string;
  const gateway = useStarted('test', () => GatewayHarness.start({ options: { maxEventStreams: 30 } }));
  beforeEach(async () => {
    url = await gateway.listen();
    id = anId();
    const events = ['one', 'two', 'three'].map((message) => anEvent({ message }));
    await gateway.store.records.create(aNewSession({ id }), events, 60_000);
  });

  const say = async (message: string): Promise<void> => {
    const head = await gateway.store.records.loadHead(id);
    const to = { stage: 'deciding', cycle: 1, attempt: 1 } as const;
    const events = [anEvent({ message })];
    await gateway.store.records.advance({ sessionId: id, fromVersion: head?.version ?? 0, to, events, dueInMs: 1000 });
  };
  const end = async (): Promise<void> => {
    const head = await gateway.store.records.loadHead(id);
    const to = { ended: { reason: 'converged', detail: 'done', afterCycle: 1 } } as const;
    const events = [anEvent({ type: 'session_ended', message: 'end' })];
    await gateway.store.records.advance({ sessionId: id, fromVersion: head?.version ?? 0, to, events, dueInMs: 1000 });
  };
  const open = (query = '', headers = {}): Promise<StreamReader> =>
    StreamReader.open(`${url}/v1/sessions/${id}/events${query}`, headers);
  const messages = (reader: StreamReader): string[] => reader.events.map(({ message }) => message);

  it('streams past and new events, and ends after the session', async () => {
    const reader = await open();
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await reader.until(({ events }) => events.length === 3);
    await say('four');
    await reader.until(({ events }) => events.length === 4);
    await end();
    await reader.until(({ closed }) => closed);
    expect(messages(reader)).toEqual(['one', 'two', 'three', 'four', 'end']);
    expect(reader.frames.at(-1)?.event).toBe('end');
  });

  it('continues after Last-Event-ID, which is newer than ?after', async () => {
    const all = (await gateway.get(`/v1/sessions/${id}/events`, { accept: 'application/json' })).json() as {
      events: StoredEvent[];
    };
    const [first, second] = all.events;
    const reader = await open(`?after=${first?.id ?? ''}`, { 'last-event-id': second?.id ?? '' });
    await reader.until(({ events }) => events.length === 1);
    expect(messages(reader)).toEqual(['three']);
    const other = await open(`?after=${first?.id ?? ''}`);
    await other.until(({ events }) => events.length === 2);
    expect(messages(other)).toEqual(['two', 'three']);
    reader.leave();
    other.leave();
  });

  it('loses and repeats no event over many reconnections', async () => {
    const seen: StoredEvent[] = [];
    const writing = (async (): Promise<void> => {
      for (let index = 0; index < 40; index += 1) await say(`m${String(index)}`);
      await end();
    })();
    while (seen.at(-1)?.type !== 'session_ended') {
      const reader = await open('', { 'last-event-id': seen.at(-1)?.id ?? '0' });
      await reader.until(({ events, closed }) => events.length > 0 || closed);
      reader.leave();
      seen.push(...reader.events);
    }
    await writing;
    expect(seen).toHaveLength(3 + 40 + 1);
    expect(new Set(seen.map((event) => event.id)).size).toBe(seen.length);
  });

  it('sends heartbeats while idle', async () => {
    const reader = await open();
    await reader.until(({ frames }) => frames.filter(({ comment }) => comment !== undefined).length >= 2);
    reader.leave();
  });

  it('answers 204 to a browser that reconnects to an ended session', async () => {
    await end();
    const reader = await open();
    await reader.until(({ closed }) => closed);
    const again = await fetch(`${url}/v1/sessions/${id}/events`, {
      headers: { 'last-event-id': reader.events.at(-1)?.id ?? '' },
    });
    expect(again.status).toBe(204);
  });

  it('sends the end after an idle wait', async () => {
    jest.spyOn(gateway.store.events, 'waitAfter').mockImplementationOnce(async () => {
      await end();
      return [];
    });
    const reader = await open();
    await reader.until(({ closed }) => closed);
    expect(messages(reader)).toEqual(['one', 'two', 'three', 'end']);
  });

  it('serves many clients with one wait in the store', async () => {
    const atOnce = waitsAtOnce(gateway.store.events);
    const readers = await Promise.all(Array.from({ length: 25 }, () => open()));
    for (const reader of readers) await reader.until(({ events }) => events.length === 3);
    await end();
    for (const reader of readers) await reader.until(({ closed }) => closed);
    expect(atOnce()).toBe(1);
    expect(readers.every((reader) => messages(reader).at(-1) === 'end')).toBe(true);
  });

  it('refuses more streams than are allowed', async () => {
    const readers = await Promise.all(Array.from({ length: 30 }, () => open()));
    const refused = await fetch(`${url}/v1/sessions/${id}/events`);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      503,
      'events.too_many_streams',
    ]);
    for (const reader of readers) reader.leave();
    await readers[0]?.until(() => true);
    for (let status = 503; status !== 200;) {
      const reader = await open();
      ({ status } = reader.response);
      expect([200, 503]).toContain(status);
      reader.leave();
    }
  });

  it('closes its streams when the service stops, without an end event', async () => {
    const reader = await open();
    await reader.until(({ events }) => events.length === 3);
    await gateway.app.close();
    await reader.until(({ closed }) => closed);
    expect(reader.frames.some(({ event }) => event === 'end')).toBe(false);
  });

  it('answers with JSON on request', async () => {
    const answer = await gateway.get(`/v1/sessions/${id}/events?limit=2`, { accept: 'application/json' });
    const { events, next } = answer.json() as { events: StoredEvent[]; next: string };
    expect(events.map(({ message }) => message)).toEqual(['one', 'two']);
    const rest = await gateway.get(`/v1/sessions/${id}/events?after=${next}`, { accept: 'application/json' });
    expect((rest.json() as { events: StoredEvent[] }).events.map(({ message }) => message)).toEqual(['three']);
  });

  it('answers HEAD at once, with no stream behind it', async () => {
    const answer = await fetch(`${url}/v1/sessions/${id}/events`, {
      method: 'HEAD',
      signal: AbortSignal.timeout(600_000),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it.each(['99999999999999999999-0', '1-99999999999999999999'])(
    'refuses %s, which is too large for an id',
    async (large) => {
      for (const accept of ['application/json', 'text/event-stream']) {
        const answer = await fetch(`${url}/v1/sessions/${id}/events`, {
          headers: { accept, 'last-event-id': large },
          signal: AbortSignal.timeout(600_000),
        });
        expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'request.invalid' }]);
      }
    },
  );

  it('refuses an invalid id', async () => {
    expect((await gateway.get(`/v1/sessions/${id}/events?after=x`)).status).toBe(400);
    expect((await gateway.get(`/v1/sessions/${id}/events`, { 'last-event-id': 'x' })).status).toBe(400);
  });

  it('continues by itself after an outage of the store', async () => {
    const wait = jest.spyOn(gateway.store.events, 'waitAfter');
    wait.mockRejectedValueOnce(new Fault('store.unreachable', 'transient', 'away'));
    const reader = await open();
    await reader.until(({ events }) => events.length === 3);
    await say('back');
    await reader.until(({ events }) => events.length === 4);
    reader.leave();
  });
});
