import { EventEmitter } from 'node:events';
import type { Redis } from 'ioredis';
import { EventNews } from './event-news';

/** As much of a Redis connection as a subscriber needs; its first subscription fails. */
class Subscriber extends EventEmitter {
  readonly channels = new Set<string>();
  private failures = 1;

  subscribe(channel: string): Promise<void> {
    this.failures -= 1;
    if (this.failures >= 0) return Promise.reject(new Error('Redis is away'));
    this.channels.add(channel);
    return Promise.resolve();
  }

  unsubscribe(channel: string): Promise<void> {
    this.channels.delete(channel);
    return Promise.resolve();
  }
}

it('keeps nothing of a reader whose subscription failed', async () => {
  const subscriber = new Subscriber();
  const news = new EventNews({ duplicate: () => subscriber } as unknown as Redis);
  const read = (): Promise<string | undefined> => news.until('news', 0, () => Promise.resolve('found'));
  await expect(read()).rejects.toThrow('Redis is away');
  await expect(read()).resolves.toBe('found');
  expect([...subscriber.channels]).toEqual([]);
});
