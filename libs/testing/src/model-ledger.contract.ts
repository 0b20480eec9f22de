import type { AskedModel, ModelOutcome } from '@fleet/contracts';
import type { ModelBudgets, ModelLedger, ModelSpending, ModelWork, ReservedRequest } from '@fleet/ports';

interface Workers {
  readonly one: ModelLedger;
  readonly other: ModelLedger;
  /** The first worker is not heard of any more. */
  readonly silence: (work: ModelWork) => Promise<void>;
}

const work: ModelWork = { session: 's1', proposal: 'mx1', name: 'c003-plan' };
const asked: AskedModel = { target: 'site', model: 'qwen3', prompt: 'plan 1', hash: 'ab', at: '2026-11-23T08:00:00Z' };
const most: ModelSpending = { requests: 1, tokens: 100, cost: 0.5 };
const used: ModelSpending = { requests: 0, tokens: 60, cost: 0.25 };
const answered: ModelOutcome = { came: 'answered', latencyMs: 5, inputTokens: 30, outputTokens: 10, cost: 0.25 };

const reserved = async (ledger: ModelLedger, of = work, budgets = {}): Promise<ReservedRequest> => {
  const reservation = await ledger.reserve(of, asked, most, budgets);
  if ('refused' in reservation) throw new Error(JSON.stringify(reservation.refused));
  return reservation;
};

/** What every ModelLedger does. */
export const modelLedgerContract = (name: string, make: () => Promise<Workers>): void => {
  describe(`${name} as ModelLedger`, () => {
    let one: ModelLedger;
    let other: ModelLedger;
    let silence: Workers['silence'];
    beforeEach(async () => {
      ({ one, other, silence } = await make());
    });

    it('gives a work to one worker, until it lets go', async () => {
      expect([await one.hold(work), await other.hold(work), await one.hold(work)]).toEqual([true, false, true]);
      expect([await one.renew(work), await other.renew(work)]).toEqual([true, false]);
      await other.release(work);
      expect(await other.hold(work)).toBe(false);
      await one.release(work);
      expect([await one.renew(work), await other.hold(work), await one.hold(work)]).toEqual([false, true, false]);
      expect(await one.hold({ ...work, name: 'c004-plan' })).toBe(true);
    });

    it('leaves a work to a worker that was silent where nobody took it, and not where somebody did and let go', async () => {
      await one.hold(work);
      await silence(work);
      expect(await one.reserve(work, asked, most, {})).toEqual({ number: 1, day: expect.any(Number) as number });
      expect([await one.renew(work), await other.hold(work)]).toEqual([true, false]);
      await silence(work);
      await other.hold(work);
      await other.release(work);
      expect([await one.renew(work), await one.reserve(work, asked, most, {})]).toEqual([
        false,
        { refused: 'not_held' },
      ]);
    });

    it('has every request of a session, its outcome too, in their order', async () => {
      await one.hold(work);
      const first = await reserved(one);
      expect(await one.entries('s1')).toEqual([{ number: 1, work: 'c003-plan', ...asked }]);
      await one.settle(work, first, answered, used);
      await one.settle(work, await reserved(one), { came: 'timeout', why: 'silent', latencyMs: 9, cost: null }, most);
      await reserved(one);
      const came = (await one.entries('s1')).map((entry) => [entry.number, entry.came, entry.cost]);
      expect(came).toEqual([
        [1, 'answered', 0.25],
        [2, 'timeout', null],
        [3, undefined, undefined],
      ]);
      expect(await one.entries('s2')).toEqual([]);
    });

    it('marks what a worker left open as lost when another one takes the work, and what the same one left', async () => {
      await one.hold(work);
      await one.settle(work, await reserved(one), answered, used);
      await reserved(one);
      const elsewhere = { ...work, name: 'c004-plan' };
      await one.hold(elsewhere);
      await reserved(one, elsewhere);
      await silence(work);
      expect(await other.hold(work)).toBe(true);
      expect((await other.entries('s1')).map(({ came }) => came)).toEqual(['answered', 'lost', undefined]);
      await reserved(other);
      expect(await other.hold(work)).toBe(true);
      expect((await other.entries('s1')).at(-1)).toMatchObject({ number: 4, came: 'lost', cost: null });
    });

    it('lets a worker that was considered dead ask nothing, and writes down the outcome of what it had asked', async () => {
      await one.hold(work);
      const late = await reserved(one);
      await silence(work);
      await other.hold(work);
      expect(await one.renew(work)).toBe(false);
      expect(await one.reserve(work, asked, most, {})).toEqual({ refused: 'not_held' });
      await one.settle(work, late, answered, used);
      expect(await one.entries('s1')).toEqual([{ number: 1, work: 'c003-plan', ...asked, ...answered }]);
    });

    interface Apart {
      readonly whose: keyof ModelBudgets;
      readonly next: ModelWork;
      readonly free?: ModelWork;
    }
    const name = 'c002-plan';
    const [ofSession, ofProposal] = [
      { session: 's1', proposal: 'mx2', name },
      { session: 's2', proposal: 'mx1', name },
    ];
    const apart: readonly Apart[] = [
      { whose: 'session', next: ofSession, free: ofProposal },
      { whose: 'proposal', next: ofProposal, free: ofSession },
      { whose: 'day', next: { session: 's2', proposal: 'mx2', name } },
    ];
    it.each(apart)('keeps to the budget of a $whose', async ({ whose, next, free }) => {
      await one.hold(work);
      const first = await reserved(one);
      await one.hold(next);
      const refused = { refused: { budget: whose } };
      const tokens = { [whose]: { requests: 2, tokens: 150 } };
      expect(await one.reserve(next, asked, most, tokens)).toEqual(refused);
      await one.settle(work, first, answered, used);
      await reserved(one, next, tokens);
      for (const budget of [{ requests: 2 }, { tokens: 239 }, { cost: 1.2 }])
        expect(await one.reserve(next, asked, most, { [whose]: budget })).toEqual(refused);
      if (free === undefined) return;
      await one.hold(free);
      await reserved(one, free, tokens);
    });
  });
};
