import { EventEmitter } from 'node:events';
import type { Redis, RedisOptions } from 'ioredis';
import { EventNews } from './event-news';

/** As much of a Redis connection as a subscriber needs; it can be away. */
class Subscriber extends EventEmitter {
  readonly channels = new Set<string>();
  options: Partial<RedisOptions> = {};
  away = false;

  subscribe(...channels: string[]): Promise<void> {
    if (this.away) return Promise.reject(new Error('Redis is away'));
    for (const channel of channels) this.channels.add(channel);
    return Promise.resolve();
  }

  unsubscribe(channel: string): Promise<void> {
    this.channels.delete(channel);
    return Promise.resolve();
  }

  disconnect(): void {
    this.channels.clear();
  }
}

const over = (subscriber: Subscriber): EventNews =>
  new EventNews({
    duplicate: (options: Partial<RedisOptions>) => Object.assign(subscriber, { options }),
  } as unknown as Redis);

it('keeps nothing of a reader whose subscription failed', async () => {
  const subscriber = new Subscriber();
  const news = over(subscriber);
  const read = (): Promise<string | undefined> => news.until('news', 0, () => Promise.resolve('found'));
  subscriber.away = true;
  await expect(read()).rejects.toThrow('Redis is away');
  subscriber.away = false;
  await expect(read()).resolves.toBe('found');
  expect([...subscriber.channels]).toEqual([]);
});

it('listens again itself after a loss, and once more where that is lost as well', async () => {
  const subscriber = new Subscriber();
  const news = over(subscriber);
  let looks = 0;
  const reading = news.until('news', 60_000, () => Promise.resolve((looks += 1) === 2 ? 'found' : undefined));
  // A subscription that ioredis renews is awaited by nobody: refused, it would end the process.
  expect(subscriber.options).toEqual({ autoResubscribe: false });
  subscriber.emit('ready');
  await settled();
  subscriber.channels.clear();
  subscriber.away = true;
  subscriber.emit('ready');
  await settled();
  expect(looks).toBe(1);
  subscriber.away = false;
  subscriber.emit('ready');
  await expect(reading).resolves.toBe('found');
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
