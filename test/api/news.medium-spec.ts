import type { SessionNews } from '@fleet/contracts';
import { connectStore, RedisStore } from '@fleet/session-store';
import { aNewSession, anEvent, startRedis, type RedisServer } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';
import { StreamReader } from './stream-reader';

const said = (news: readonly SessionNews[]): readonly string[] =>
  news.flatMap(({ events }) => events.map(({ message }) => message));

/** A gateway with a connection of its own to the Redis that all share. */
class OneOfMany {
  private constructor(
    readonly harness: GatewayHarness,
    readonly url: string,
    private readonly close: () => void,
  ) {}

  static async start(redisUrl: string): Promise<OneOfMany> {
    const redis = connectStore({ url: redisUrl }).on('error', () => undefined);
    const store = new RedisStore(redis, 'many');
    const harness = await GatewayHarness.start({ store, options: { maxEventStreams: 500 } });
    return new OneOfMany(harness, await harness.listen(), () => {
      store.close();
      redis.disconnect();
    });
  }

  /** As its clients see it when its process is killed: nothing is said, every connection is cut. */
  async kill(): Promise<void> {
    this.harness.app.getHttpServer().closeAllConnections();
    await this.stop();
  }

  async stop(): Promise<void> {
    await this.harness.stop();
    this.close();
  }

  open(headers: Record<string, string> = {}): Promise<StreamReader> {
    return StreamReader.open(`${this.url}/v1/events`, headers);
  }
}

describe('events of many sessions over Redis', () => {
  let server: RedisServer;
  let redis: ReturnType<typeof connectStore>;
  let writer: RedisStore;
  beforeEach(async () => {
    server = await startRedis();
    redis = connectStore({ url: server.url }).on('error', () => undefined);
    writer = new RedisStore(redis, 'many');
  });
  afterEach(async () => {
    writer.close();
    redis.disconnect();
    await server.stop();
  });

  const tell = (message: string): Promise<unknown> =>
    writer.records.create(aNewSession(), [anEvent({ message })], 60_000);
  const ready = (reader: StreamReader): Promise<void> =>
    reader.until(({ frames }) => frames.some(({ event }) => event === 'ready'));
  const reloaded = (reader: StreamReader): Promise<void> =>
    reader.until(({ frames }) => frames.some(({ event }) => event === 'reload'));

  it('goes on over another gateway when one is killed: each move once, in order', async () => {
    const [one, other] = [await OneOfMany.start(server.url), await OneOfMany.start(server.url)];
    const first = await one.open();
    await ready(first);
    const wanted = Array.from({ length: 300 }, (_, index) => `m${String(index)}`);
    const telling = (async (): Promise<void> => {
      for (const message of wanted) await tell(message);
    })();
    await first.until(({ news }) => news.length > 20);
    await one.kill();
    await first.until(({ closed }) => closed);
    const second = await other.open({ 'last-event-id': first.lastId });
    await telling;
    await second.until(({ news }) => first.news.length + news.length >= wanted.length);
    expect([...said(first.news), ...said(second.news)]).toEqual(wanted);
    second.leave();
    await other.stop();
  });

  it('goes on when Redis was restarted', async () => {
    const gateway = await OneOfMany.start(server.url);
    const reader = await gateway.open();
    await ready(reader);
    await tell('before');
    await reader.until(({ news }) => news.length === 1);
    await server.restart();
    await tell('after');
    await reader.until(({ news }) => news.length === 2);
    const again = await gateway.open({
      'last-event-id': reader.frames.find(({ event }) => event === 'ready')?.id ?? '',
    });
    await again.until(({ news }) => news.length === 2);
    expect([said(reader.news), said(again.news)]).toEqual([
      ['before', 'after'],
      ['before', 'after'],
    ]);
    reader.leave();
    again.leave();
    await gateway.stop();
  });

  it('says that something was missed where Redis was emptied, and where a place is older than what is kept', async () => {
    const gateway = await OneOfMany.start(server.url);
    await tell('of another life');
    const reader = await gateway.open({ 'last-event-id': '0' });
    await reader.until(({ news }) => news.length === 1);
    const place = reader.lastId;
    await redis.flushall();
    await reloaded(reader);
    await tell('new');
    await reader.until(({ news }) => news.length === 2);
    const late = await gateway.open({ 'last-event-id': place });
    await reloaded(late);
    const old = reader.lastId;
    const [[, fields] = ['', []]] = await redis.xrange('many:feed', '-', '+', 'COUNT', 1);
    const many = redis.pipeline();
    for (let made = 0; made < 5_500; made += 1) many.xadd('many:feed', '*', ...fields);
    await many.exec();
    await tell('of many');
    expect(await redis.xlen('many:feed')).toBeLessThan(5_200);
    // The first one may still hold the pages that it has just told: from there nothing is missing.
    const another = await OneOfMany.start(server.url);
    for (const from of [old, '0']) {
      const reading = await another.open({ 'last-event-id': from });
      await reloaded(reading);
      expect(reading.news).toEqual([]);
      reading.leave();
    }
    reader.leave();
    late.leave();
    await Promise.all([gateway.stop(), another.stop()]);
  });

  it('subscribes once a gateway, however many listen', async () => {
    const gateways = [await OneOfMany.start(server.url), await OneOfMany.start(server.url)];
    const readers = await Promise.all(gateways.flatMap((gateway) => Array.from({ length: 100 }, () => gateway.open())));
    await Promise.all(readers.map(ready));
    await tell('to all');
    await Promise.all(readers.map((reader) => reader.until(({ news }) => news.length === 1)));
    // Between two waits a gateway is not subscribed for a moment.
    let most = 0;
    for (let look = 0; look < 200 || most < 2; look += 1) {
      const [, count] = (await redis.pubsub('NUMSUB', 'many:feed')) as [string, number];
      most = Math.max(most, count);
    }
    expect(most).toBe(2);
    for (const reader of readers) reader.leave();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  });
});
