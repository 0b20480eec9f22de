import type { AssessmentWish, AssessmentWishes } from '@fleet/ports';

interface Wished {
  readonly wishes: AssessmentWishes;
  /** A session of the store. */
  readonly aSession: () => Promise<string>;
  /** As if that time had passed for this wish. */
  readonly pass: (session: string, ms: number) => Promise<void>;
}

const leaseMs = 60_000;

/** What every AssessmentWishes does. */
export const assessmentWishesContract = (name: string, make: () => Promise<Wished>): void => {
  describe(`${name} as AssessmentWishes`, () => {
    let wished: Wished;
    let wishes: AssessmentWishes;
    beforeEach(async () => {
      wished = await make();
      ({ wishes } = wished);
    });
    const asked = async (number = 1): Promise<AssessmentWish> => {
      const wish = await wishes.ask(await wished.aSession(), number);
      if (wish === undefined) throw new Error('it was not taken');
      return wish;
    };

    it('keeps one wish of a session, the first, until it is answered', async () => {
      const wish = await asked();
      expect(wish).toMatchObject({ number: 1 });
      expect(wish.askedAt).toBeGreaterThan(0);
      expect(await wishes.ask(wish.session, 2)).toEqual(wish);
      expect(await wishes.find(wish.session)).toEqual(wish);
      await wishes.done(wish);
      expect(await wishes.find(wish.session)).toBeUndefined();
      expect(await wishes.take(leaseMs)).toBeUndefined();
      expect(await wishes.ask(wish.session, 2)).toMatchObject({ number: 2 });
    });

    it('gives each to one worker', async () => {
      const [one, other] = [await asked(), await asked(4)];
      const taken = [await wishes.take(leaseMs), await wishes.take(leaseMs)];
      expect(taken).toEqual(expect.arrayContaining([one, other]));
      expect(await wishes.take(leaseMs)).toBeUndefined();
      expect(await wishes.find(one.session)).toEqual(one);
    });

    it('gives it to another one where its worker has died, or puts it back', async () => {
      const wish = await asked();
      await wishes.take(leaseMs);
      await wished.pass(wish.session, leaseMs);
      expect(await wishes.take(leaseMs)).toEqual(wish);
      await wishes.putBack(wish, 0);
      expect(await wishes.take(leaseMs)).toEqual(wish);
      await wishes.putBack(wish, leaseMs);
      expect(await wishes.take(leaseMs)).toBeUndefined();
    });

    it('leaves alone a wish that was made after the one that a slow worker has answered', async () => {
      const old = await asked();
      await wishes.done(old);
      const wish = await wishes.ask(old.session, 2);
      await wishes.done(old);
      await wishes.putBack(old, leaseMs);
      expect(await wishes.take(leaseMs)).toEqual(wish);
    });
  });
};
