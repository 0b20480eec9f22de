import type { Webhook } from '@fleet/contracts/webhooks';
import type { Webhooks } from '@fleet/ports';
import type { Made } from './runs.contract';

export const aWebhook = (changes: Partial<Webhook> = {}): Webhook => ({
  id: '0123456789abcdef',
  url: 'https://hooks.example.org/fleet',
  about: { what: 'proposal', name: 'mx1' },
  kinds: ['session.ended', 'batch.ended'],
  label: '',
  proposal: 'mx1',
  beamline: '',
  owner: 'ada',
  createdAt: '2026-11-21T08:00:00.000Z',
  secretKey: '00c0ffee',
  ...changes,
});

/** The behavior of every Webhooks. */
export const webhooksContract = (name: string, make: () => Promise<Made<Webhooks>>): void => {
  describe(`${name} as Webhooks`, () => {
    let webhooks: Webhooks;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ made: webhooks, close } = await make());
    });
    afterEach(() => close());
    const by = { removedAt: '2026-11-22T08:00:00.000Z', removedBy: 'ada' };
    const older = aWebhook({ id: 'fedcba9876543210', createdAt: '2026-11-20T08:00:00.000Z' });

    it('stores a webhook as given, once, however often it is created', async () => {
      expect([await webhooks.list(), await webhooks.find(aWebhook().id)]).toEqual([[], undefined]);
      await webhooks.create(aWebhook());
      await webhooks.create(older);
      await webhooks.create(aWebhook());
      expect(await webhooks.find(aWebhook().id)).toEqual(aWebhook());
      expect(await webhooks.list()).toEqual([older, aWebhook()]);
    });

    it('removes one for good', async () => {
      await webhooks.create(aWebhook());
      expect([await webhooks.remove(aWebhook().id, by), await webhooks.remove(aWebhook().id, by)]).toEqual([
        true,
        false,
      ]);
      await webhooks.create(aWebhook());
      expect([await webhooks.find(aWebhook().id), await webhooks.list()]).toEqual([undefined, []]);
    });
  });
};
