import type { SessionUpdate } from '@fleet/contracts/sessions';
import { aNewSession, anEvent, startPostgres, type PostgresServer } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';
import { openStore, type OpenStore } from '../support/servers';
import { StreamReader } from './stream-reader';

const messagesOf = (updates: readonly SessionUpdate[]): readonly string[] =>
  updates.flatMap(({ events }) => events.map(({ message }) => message));

/** A gateway with connections of its own to the database that all share. */
class OneOfMany {
  private constructor(
    readonly harness: GatewayHarness,
    readonly url: string,
    private readonly close: () => Promise<void>,
  ) {}

  static async start(database: string): Promise<OneOfMany> {
    const { store, close } = await openStore(database);
    const harness = await GatewayHarness.start({ store, options: { maxEventStreams: 500 } });
    return new OneOfMany(harness, await harness.listen(), close);
  }

  /** Imitates a killed process: cuts every connection without a message. */
  async kill(): Promise<void> {
    this.harness.app.getHttpServer().closeAllConnections();
    await this.stop();
  }

  async stop(): Promise<void> {
    await this.harness.stop();
    await this.close();
  }

  open(headers: Record<string, string> = {}): Promise<StreamReader> {
    return StreamReader.open(`${this.url}/v1/events`, headers);
  }
}

describe('events of many sessions over PostgreSQL', () => {
  let server: PostgresServer;
  let database: string;
  let writer: OpenStore;
  beforeEach(async () => {
    server = await startPostgres();
    database = await server.newDatabase();
    writer = await openStore(database);
  });
  afterEach(async () => {
    await writer.close();
    await server.stop();
  });

  const tell = (message: string): Promise<unknown> =>
    writer.store.records.create(aNewSession(), [anEvent({ message })], 60_000);
  const ready = (reader: StreamReader): Promise<void> =>
    reader.until(({ frames }) => frames.some(({ event }) => event === 'ready'));
  const reloaded = (reader: StreamReader): Promise<void> =>
    reader.until(({ frames }) => frames.some(({ event }) => event === 'reload'));

  it('continue over another gateway when one is killed: each transition once, in order', async () => {
    const [one, other] = [await OneOfMany.start(database), await OneOfMany.start(database)];
    const first = await one.open();
    await ready(first);
    const wanted = Array.from({ length: 300 }, (_, index) => `m${String(index)}`);
    const telling = (async (): Promise<void> => {
      for (const message of wanted) await tell(message);
    })();
    await first.until(({ updates }) => updates.length > 20);
    await one.kill();
    await first.until(({ closed }) => closed);
    const second = await other.open({ 'last-event-id': first.lastId });
    await telling;
    await second.until(({ updates }) => first.updates.length + updates.length >= wanted.length);
    expect([...messagesOf(first.updates), ...messagesOf(second.updates)]).toEqual(wanted);
    second.leave();
    await other.stop();
  });

  it('continue after a crash of the database', async () => {
    const gateway = await OneOfMany.start(database);
    const reader = await gateway.open();
    await ready(reader);
    await tell('before');
    await reader.until(({ updates }) => updates.length === 1);
    await server.crash();
    await tell('after');
    await reader.until(({ updates }) => updates.length === 2);
    const again = await gateway.open({
      'last-event-id': reader.frames.find(({ event }) => event === 'ready')?.id ?? '',
    });
    await again.until(({ updates }) => updates.length === 2);
    expect([messagesOf(reader.updates), messagesOf(again.updates)]).toEqual([
      ['before', 'after'],
      ['before', 'after'],
    ]);
    reader.leave();
    again.leave();
    await gateway.stop();
  });

  it('report a gap when the database is a different one', async () => {
    const gateway = await OneOfMany.start(database);
    await tell('of another life');
    const reader = await gateway.open({ 'last-event-id': '0' });
    await reader.until(({ updates }) => updates.length === 1);
    const other = await OneOfMany.start(await server.newDatabase());
    const late = await other.open({ 'last-event-id': reader.lastId });
    await reloaded(late);
    reader.leave();
    late.leave();
    await Promise.all([gateway.stop(), other.stop()]);
  });
});
