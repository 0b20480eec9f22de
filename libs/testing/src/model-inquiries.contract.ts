import type { ModelInquiries, ModelInquiry } from '@fleet/ports';

interface Asked {
  readonly inquiries: ModelInquiries;
  /** As if nobody had looked for the answer for long. */
  readonly leave: (id: string) => Promise<void>;
  /** As if the worker that took it had been silent for its time. */
  readonly silence: (id: string) => Promise<void>;
}

const leaseMs = 60_000;
const one: ModelInquiry = { id: 'one', caller: 'ada', proposal: '', provider: 'google', question: { forms: [1] } };
const other: ModelInquiry = { ...one, id: 'other', provider: 'ollama' };

/** What every ModelInquiries does. */
export const modelInquiriesContract = (name: string, make: () => Promise<Asked>): void => {
  describe(`${name} as ModelInquiries`, () => {
    let asked: Asked;
    let inquiries: ModelInquiries;
    beforeEach(async () => {
      asked = await make();
      ({ inquiries } = asked);
    });

    it('knows whose models may be asked as long as somebody says so', async () => {
      expect(await inquiries.providers()).toEqual([]);
      await inquiries.offer(['google', 'ollama'], leaseMs);
      expect(await inquiries.providers()).toEqual(['google', 'ollama']);
    });

    it('gives each question to one worker, and its answer to whoever waits', async () => {
      await inquiries.ask(one);
      await inquiries.ask(other);
      const taken = [await inquiries.take(leaseMs), await inquiries.take(leaseMs)];
      expect(taken).toEqual(expect.arrayContaining([one, other]));
      expect(await inquiries.take(leaseMs)).toBeUndefined();
      expect(await inquiries.answerTo('one')).toBeUndefined();
      await inquiries.answer('one', { code: 'model_auth' });
      expect(await inquiries.answerTo('one')).toEqual({ code: 'model_auth' });
      expect(await inquiries.answerTo('other')).toBeUndefined();
    });

    it('gives it to another one where its worker is silent', async () => {
      await inquiries.ask(one);
      await inquiries.take(leaseMs);
      await asked.silence('one');
      expect(await inquiries.isWanted('one', leaseMs)).toBe(true);
      expect(await inquiries.take(leaseMs)).toBeUndefined();
      await asked.silence('one');
      expect(await inquiries.take(leaseMs)).toEqual(one);
    });

    it.each(['withdrawn', 'left'] as const)('forgets a question that was %s', async (how) => {
      await inquiries.ask(one);
      if (how === 'left') await asked.leave('one');
      else await inquiries.withdraw('one');
      expect(await inquiries.isWanted('one', leaseMs)).toBe(false);
      expect(await inquiries.take(leaseMs)).toBeUndefined();
      await inquiries.answer('one', {});
      expect(await inquiries.answerTo('one')).toBeUndefined();
    });

    it('keeps the replies of each provider', async () => {
      const reply = { text: '{}', finish: 'stop', usage: { inputTokens: 3 }, target: 'site', model: 'qwen3' } as const;
      await inquiries.keepReply('google', 'ab', reply);
      expect(await inquiries.reply('google', 'ab')).toEqual(reply);
      expect(await inquiries.reply('ollama', 'ab')).toBeUndefined();
    });
  });
};
