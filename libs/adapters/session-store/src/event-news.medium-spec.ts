import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '@fleet/testing';
import { EventNews } from './event-news';
import { connectStore } from './store-connection';

describe('news over a Redis that goes away', () => {
  let server: RedisServer;
  let redis: Redis;
  let news: EventNews;
  beforeEach(async () => {
    server = await startRedis();
    redis = connectStore({ url: server.url }).on('error', () => undefined);
    news = new EventNews(redis);
  });
  afterEach(async () => {
    news.close();
    redis.disconnect();
    await server.stop();
  });

  /** Waits for the n-th look. */
  const lookTimes = (wanted: number): Promise<number | undefined> => {
    let looks = 0;
    return news.until('news', 60_000, () => Promise.resolve((looks += 1) === wanted ? looks : undefined));
  };
  const subscribed = async (): Promise<void> => {
    while (((await redis.pubsub('NUMSUB', 'news')) as [string, number])[1] === 0) await sleep(10);
  };

  it('listens again after a restart, and lets readers look for what they missed', async () => {
    const [second, third] = [lookTimes(2), lookTimes(3)];
    await subscribed();
    await server.restart();
    await expect(second).resolves.toBe(2);
    await redis.publish('news', 'that comes after the restart');
    await expect(third).resolves.toBe(3);
  });
});
