import { startRedis, type RedisServer } from '@fleet/testing';
import { connectRedis } from '../connect-redis';
import { RedisMemberAnswers } from './redis-member-answers';

describe('RedisMemberAnswers', () => {
  let server: RedisServer;
  let redis: ReturnType<typeof connectRedis>;
  beforeAll(async () => {
    server = await startRedis();
    redis = connectRedis({ url: server.url });
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  const answer = { names: ['mx1', 'mx2'], askedAt: 1_795_000_000_000 };

  it('keeps an answer for all gateways, and no longer than it is told', async () => {
    const [one, other] = [new RedisMemberAnswers(redis, 'fleet'), new RedisMemberAnswers(redis, 'fleet')];
    expect(await one.find('owner:ada')).toBeUndefined();
    await one.keep('owner:ada', answer, 60_000);
    expect(await other.find('owner:ada')).toEqual(answer);
    expect(await other.find('proposal:ada')).toBeUndefined();
    const left = await redis.pttl('fleet:access:members:owner%3Aada');
    expect([left > 0, left <= 60_000]).toEqual([true, true]);
    await redis.flushall();
    expect(await other.find('owner:ada')).toBeUndefined();
  });

  it.each(['{', '[]', '{"names": "mx1", "askedAt": 1}', '{"names": ["../mx1"], "askedAt": 1}', '{"names": []}'])(
    'knows nothing from %s',
    async (text) => {
      await redis.set('fleet:access:members:owner%3Aeve', text);
      expect(await new RedisMemberAnswers(redis, 'fleet').find('owner:eve')).toBeUndefined();
    },
  );
});
