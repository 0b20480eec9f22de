import { ScriptedModels } from '@fleet/testing';
import { openTargets } from './open-targets';

const messages = [{ role: 'user', text: 'refine '.repeat(140) }] as const;

describe('a target that counts fewer tokens than estimated', () => {
  it('accepts more after its first counts', async () => {
    const models = await ScriptedModels.start();
    // It reports 120 tokens for any request.
    models.play({ say: 'yes' });
    const open = openTargets([
      {
        id: 'site',
        protocol: 'openai',
        baseUrl: models.baseUrlOf('openai'),
        model: 'scripted',
        local: true,
        contextTokens: 1_000,
        maxOutputTokens: 500,
        sendsSchema: false,
        limits: { firstMs: 20_000, idleMs: 20_000, totalMs: 20_000 },
      },
    ]);
    try {
      const [target] = open.targets;
      expect(target?.fits?.(messages)).toBe(false);
      const prompted = { prompt: 'plan 1', hash: 'ab' };
      for (let times = 0; times < 10; times += 1)
        expect((await target?.ask({ messages, asked: prompted }))?.ok).toBe(true);
      expect(target?.fits?.(messages)).toBe(true);
    } finally {
      await open.close();
      await models.close();
    }
  });
});
