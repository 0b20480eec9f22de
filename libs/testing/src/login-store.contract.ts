import { setTimeout as pause } from 'node:timers/promises';
import type { LoginStore } from '@fleet/ports';

const long = 60_000;

/** What every implementation of LoginStore does. */
export const loginStoreContract = (name: string, make: () => LoginStore): void => {
  describe(`${name} keeps logins of browsers`, () => {
    let store: LoginStore;
    beforeEach(() => {
      store = make();
    });

    it('until they are taken, which only one of many does', async () => {
      await store.keep('taken', 'ada', long);
      const taken = await Promise.all(Array.from({ length: 5 }, () => store.take('taken')));
      expect(taken.filter((text) => text === 'ada')).toHaveLength(1);
      expect(await store.use('taken', long)).toBeUndefined();
    });

    it('and brings none back that was taken', async () => {
      await store.keep('replaced', 'one', long);
      await store.replace('replaced', 'two', long);
      expect(await store.use('replaced', long)).toBe('two');
      await store.take('replaced');
      await store.replace('replaced', 'three', long);
      expect(await store.use('replaced', long)).toBeUndefined();
    });

    it('for their time, which use renews', async () => {
      await store.keep('short', 'ada', 1);
      await pause(20);
      expect(await store.use('short', long)).toBeUndefined();
      await store.keep('used', 'ada', 500);
      await store.use('used', long);
      await pause(600);
      expect(await store.use('used', long)).toBe('ada');
    });

    it('and lets one of many claim what is to be done once', async () => {
      const claims = await Promise.all(Array.from({ length: 5 }, () => store.claim('claimed', long)));
      expect(claims.filter((won) => won)).toHaveLength(1);
    });
  });
};
