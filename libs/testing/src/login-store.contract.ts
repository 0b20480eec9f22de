import { setTimeout as pause } from 'node:timers/promises';
import type { LoginStore } from '@fleet/ports';

const long = 60_000;

/** The behavior of every LoginStore. */
export const loginStoreContract = (name: string, make: () => LoginStore): void => {
  describe(`${name} stores browser logins`, () => {
    let store: LoginStore;
    beforeEach(() => {
      store = make();
    });

    it('until they are taken, by exactly one of many callers', async () => {
      await store.keep('taken', 'ada', long);
      const taken = await Promise.all(Array.from({ length: 5 }, () => store.take('taken')));
      expect(taken.filter((text) => text === 'ada')).toHaveLength(1);
      expect(await store.use('taken', long)).toBeUndefined();
    });

    it('and restores none that was taken', async () => {
      await store.keep('replaced', 'one', long);
      expect(await store.replace('replaced', 'one', 'two', long)).toBe(true);
      expect(await store.use('replaced', long)).toBe('two');
      await store.take('replaced');
      expect(await store.replace('replaced', 'two', 'three', long)).toBe(false);
      expect(await store.use('replaced', long)).toBeUndefined();
    });

    it('and accepts one of many concurrent changes, based on their current version', async () => {
      await store.keep('changed', 'one', long);
      const changes = await Promise.all(
        ['a', 'b', 'c', 'd', 'e'].map((to) => store.replace('changed', 'one', to, long)),
      );
      expect(changes.filter((done) => done)).toHaveLength(1);
      const now = (await store.use('changed', long)) ?? '';
      expect('abcde').toContain(now);
      expect([await store.remove('changed', 'one'), await store.use('changed', long)]).toEqual([false, now]);
      expect([await store.remove('changed', now), await store.remove('changed', now)]).toEqual([true, false]);
      expect(await store.use('changed', long)).toBeUndefined();
    });

    it('until they expire; use extends their time', async () => {
      await store.keep('short', 'ada', 1);
      while ((await store.use('short', 1)) !== undefined) await pause(5);
      // If the machine is too slow to use it in time, the time is extended.
      let ms = 150;
      for (let used: string | undefined; used === undefined; used = await store.use('used', long)) {
        ms *= 2;
        await store.keep('used', 'ada', ms);
      }
      await pause(ms + 10);
      expect(await store.use('used', long)).toBe('ada');
    });

    it('and lets one of many callers claim a task', async () => {
      const claims = await Promise.all(Array.from({ length: 5 }, () => store.claim('claimed', long)));
      expect(claims.filter((won) => won)).toHaveLength(1);
    });
  });
};
