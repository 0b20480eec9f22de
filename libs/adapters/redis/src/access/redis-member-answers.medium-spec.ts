import { useRedis } from '@fleet/testing';
import { RedisMemberAnswers } from './redis-member-answers';

describe('RedisMemberAnswers', () => {
  const redis = useRedis();
  const answer = { names: ['mx1', 'mx2'], requestedAt: 1_795_000_000_000 };

  it('stores an answer for all gateways, until it expires', async () => {
    const [one, other] = [new RedisMemberAnswers(redis(), 'fleet'), new RedisMemberAnswers(redis(), 'fleet')];
    expect(await one.find('owner:ada')).toBeUndefined();
    await one.keep('owner:ada', answer, 60_000);
    expect(await other.find('owner:ada')).toEqual(answer);
    expect(await other.find('proposal:ada')).toBeUndefined();
    const left = await redis().pttl('fleet:access:members:owner%3Aada');
    expect([left > 0, left <= 60_000]).toEqual([true, true]);
    await redis().flushall();
    expect(await other.find('owner:ada')).toBeUndefined();
  });

  it.each([
    '{',
    '[]',
    '{"names": "mx1", "requestedAt": 1}',
    '{"names": ["../mx1"], "requestedAt": 1}',
    '{"names": []}',
  ])('returns nothing for %s', async (text) => {
    await redis().set('fleet:access:members:owner%3Aeve', text);
    expect(await new RedisMemberAnswers(redis(), 'fleet').find('owner:eve')).toBeUndefined();
  });
});
