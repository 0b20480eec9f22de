import type { SessionHead } from '@fleet/contracts';
import type { SessionStore } from '@fleet/ports';
import { aNewSession, anEvent, anId } from './builders';
import type { ManualClock } from './manual-clock';

type Get = () => SessionStore;

/** What sweepers and those who give a session up need of the store. */
export const sessionStoreSweeping = (store: Get, clock: ManualClock): void => {
  claiming(store, clock);
  countingFailures(store);
};

const claiming = (store: Get, clock: ManualClock): void => {
  const submit = async (count: number): Promise<readonly string[]> => {
    const made = Array.from({ length: count }, () => aNewSession());
    for (const session of made) await store().create(session, [], 1000);
    return made.map(({ id }) => id);
  };

  it('tells each sweeper of other overdue sessions, until the claim has run out', async () => {
    const submitted = await submit(5);
    clock.forward(1000);
    const looks = await Promise.all([store().overdue(2, 3000), store().overdue(2, 3000), store().overdue(2, 3000)]);
    expect(looks.flatMap(idsOf).sort()).toEqual([...submitted].sort());
    clock.forward(2999);
    await expect(store().overdue(10)).resolves.toEqual([]);
    clock.forward(1);
    expect([...idsOf(await store().overdue(10))].sort()).toEqual([...submitted].sort());
  });

  it('tells each sweeper of other wake-ups that nobody acknowledged, until the claim has run out', async () => {
    const submitted = await submit(3);
    clock.forward(500);
    const looks = await Promise.all([store().unacknowledged(500, 2, 3000), store().unacknowledged(500, 2, 3000)]);
    expect(looks.flatMap(idsOf).sort()).toEqual([...submitted].sort());
    clock.forward(2999);
    await expect(store().unacknowledged(500, 10)).resolves.toEqual([]);
    clock.forward(1);
    await expect(store().unacknowledged(500, 10)).resolves.toHaveLength(3);
  });

  it('claims nothing where it is only read', async () => {
    await submit(1);
    clock.forward(1000);
    await expect(store().overdue(10)).resolves.toHaveLength(1);
    await expect(store().overdue(10)).resolves.toHaveLength(1);
    await expect(store().unacknowledged(0, 10)).resolves.toHaveLength(1);
    await expect(store().unacknowledged(0, 10)).resolves.toHaveLength(1);
  });
};

const countingFailures = (store: Get): void => {
  const created = async (): Promise<string> => {
    const made = aNewSession();
    await store().create(made, [], 1000);
    return made.id;
  };
  const wake = (id: string, version = 1): Promise<SessionHead | undefined> => store().postpone(id, version, 1000, true);

  it('counts the wake-ups in a row whose step failed, each once', async () => {
    const id = await created();
    await expect(store().countFailure(id, 1)).resolves.toBe(1);
    await expect(store().countFailure(id, 1)).resolves.toBe(1);
    await wake(id);
    await expect(store().countFailure(id, 1)).resolves.toBe(2);
    await wake(id);
    await expect(store().countFailure(id, 1)).resolves.toBe(3);
  });

  it('begins anew after a wake-up whose step did not fail, and after a move', async () => {
    const id = await created();
    await store().countFailure(id, 1);
    await wake(id);
    await wake(id);
    await expect(store().countFailure(id, 1)).resolves.toBe(1);
    await wake(id);
    await expect(store().countFailure(id, 1)).resolves.toBe(2);
    const to = { stage: 'executing', cycle: 1, attempt: 1 } as const;
    await store().advance({ sessionId: id, fromVersion: 1, to, events: [], dueInMs: 1000 });
    await expect(store().countFailure(id, 2)).resolves.toBe(1);
  });

  it('counts nothing of a session that has moved on, ended or never was', async () => {
    const id = await created();
    await expect(store().countFailure(id, 2)).resolves.toBe(0);
    await expect(store().countFailure(anId(), 1)).resolves.toBe(0);
    const ended = { reason: 'error', detail: 'x', afterCycle: 0 } as const;
    await store().advance({ sessionId: id, fromVersion: 1, to: { ended }, events: [anEvent()], dueInMs: 1 });
    await expect(store().countFailure(id, 2)).resolves.toBe(0);
  });
};

const idsOf = (heads: readonly SessionHead[]): readonly string[] => heads.map(({ id }) => id);
