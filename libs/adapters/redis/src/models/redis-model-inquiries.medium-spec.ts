import { modelInquiriesContract, useRedis } from '@fleet/testing';
import { RedisModelInquiries } from './redis-model-inquiries';

const redis = useRedis();

modelInquiriesContract('RedisModelInquiries', () =>
  Promise.resolve({
    inquiries: new RedisModelInquiries(redis(), 'fleet'),
    leave: async (id) => {
      await redis().del(`fleet:models:inquiry:${id}`);
    },
    silence: async (id) => {
      await redis().zincrby('fleet:models:inquiries', -60_000, id);
    },
  }),
);

it('RedisModelInquiries leaves only keys that expire', async () => {
  const inquiries = new RedisModelInquiries(redis(), 'fleet');
  const inquiry = { id: 'one', caller: 'ada', proposal: '', provider: 'google', question: {} };
  const reply = { text: '{}', finish: 'stop', usage: {}, target: 'site', model: 'qwen3' } as const;
  await inquiries.offer(['google'], 60_000);
  await inquiries.keepReply('google', 'ab', reply);
  await inquiries.ask(inquiry);
  await inquiries.take(60_000);
  await inquiries.answer('one', {});
  const keys = await redis().keys('*');
  expect(keys.sort()).toEqual([
    'fleet:models:inquiry:one:answer',
    'fleet:models:providers',
    'fleet:models:reply:google:ab',
  ]);
  for (const key of keys) expect(await redis().pttl(key)).toBeGreaterThan(0);
  await inquiries.ask({ ...inquiry, id: 'two' });
  await inquiries.answerTo('two');
  expect(await redis().pttl('fleet:models:inquiry:two')).toBeGreaterThan(3_000);
});
