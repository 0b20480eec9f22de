import { MemoryLoginStore } from '@fleet/redis';
import { text } from '@fleet/contracts/schema';
import { SealedRecords } from './sealed-records';
import { isSecret, nameOf, newSecret, sealed, unsealed } from './sealing';

describe('data encrypted for a browser', () => {
  it('can be read only with its secret, and not after a change', () => {
    const [secret, other] = [newSecret(), newSecret()];
    const shut = sealed('a token of the provider', secret);
    expect([unsealed(shut, secret), unsealed(shut, other), shut.includes('token')]).toEqual([
      'a token of the provider',
      undefined,
      false,
    ]);
    const changed = Buffer.from(shut, 'base64');
    changed[30] = (changed[30] ?? 0) ^ 1;
    expect([changed.toString('base64'), 'x', ''].map((one) => unsealed(one, secret))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has a name that does not reveal the secret', () => {
    const secret = newSecret();
    expect([isSecret(secret), nameOf(secret)]).toEqual([true, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it('cannot be moved to another name', async () => {
    const store = new MemoryLoginStore();
    const records = new SealedRecords(store, 'login', text());
    const [ada, eve] = [newSecret(), newSecret()];
    await records.keep(ada, 'ada', 60_000);
    const stolen = (await store.use(`login:${nameOf(ada)}`, 60_000)) ?? '';
    await store.keep(`login:${nameOf(eve)}`, stolen, 60_000);
    const held = await Promise.all([ada, eve].map((secret) => records.use(secret, 60_000)));
    expect(held.map((one) => one?.value)).toEqual(['ada', undefined]);
  });
});
