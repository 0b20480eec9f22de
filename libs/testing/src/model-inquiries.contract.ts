import type { ModelInquiries, ModelInquiry } from '@fleet/ports';

interface InquiriesUnderTest {
  readonly inquiries: ModelInquiries;
  /** Simulates that the answer was not polled for long. */
  readonly leave: (id: string) => Promise<void>;
  /** Simulates that the lease of its worker has expired. */
  readonly silence: (id: string) => Promise<void>;
}

const leaseMs = 60_000;
const one: ModelInquiry = { id: 'one', caller: 'ada', proposal: '', provider: 'google', question: { forms: [1] } };
const other: ModelInquiry = { ...one, id: 'other', provider: 'ollama' };

/** The behavior of every ModelInquiries. */
export const modelInquiriesContract = (name: string, make: () => Promise<InquiriesUnderTest>): void => {
  describe(`${name} as ModelInquiries`, () => {
    let underTest: InquiriesUnderTest;
    let inquiries: ModelInquiries;
    beforeEach(async () => {
      underTest = await make();
      ({ inquiries } = underTest);
    });

    it('lists the available providers as long as they are announced', async () => {
      expect(await inquiries.providers()).toEqual([]);
      await inquiries.offer(['google', 'ollama'], leaseMs);
      expect(await inquiries.providers()).toEqual(['google', 'ollama']);
    });

    it('assigns each question to one worker, and returns its answer to the requester', async () => {
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

    it('reassigns it if its worker is silent', async () => {
      await inquiries.ask(one);
      await inquiries.take(leaseMs);
      await underTest.silence('one');
      expect(await inquiries.isWanted('one', leaseMs)).toBe(true);
      expect(await inquiries.take(leaseMs)).toBeUndefined();
      await underTest.silence('one');
      expect(await inquiries.take(leaseMs)).toEqual(one);
    });

    it.each(['withdrawn', 'left'] as const)('drops a question that was %s', async (how) => {
      await inquiries.ask(one);
      if (how === 'left') await underTest.leave('one');
      else await inquiries.withdraw('one');
      expect(await inquiries.isWanted('one', leaseMs)).toBe(false);
      expect(await inquiries.take(leaseMs)).toBeUndefined();
      await inquiries.answer('one', {});
      expect(await inquiries.answerTo('one')).toBeUndefined();
    });

    it('stores the replies of each provider', async () => {
      const reply = { text: '{}', finish: 'stop', usage: { inputTokens: 3 }, target: 'site', model: 'qwen3' } as const;
      await inquiries.keepReply('google', 'ab', reply);
      expect(await inquiries.reply('google', 'ab')).toEqual(reply);
      expect(await inquiries.reply('ollama', 'ab')).toBeUndefined();
    });
  });
};
