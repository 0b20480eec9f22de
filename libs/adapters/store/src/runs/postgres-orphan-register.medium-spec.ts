import type { Orphan, OrphanRegister } from '@fleet/ports';
import { ManualClock, useStores } from '@fleet/testing';

const anOrphan = (name: string): Orphan => ({
  name,
  owner: { sessionId: 's', cycle: 1, attempt: 1, proposal: 'mx1' },
  createdAt: '2026-11-21T08:00:00.000Z',
  reason: 'the session has ended',
});

describe('the register of orphans', () => {
  const newStore = useStores();
  let clock: ManualClock;
  let register: OrphanRegister;
  beforeEach(() => {
    clock = new ManualClock();
    ({ orphans: register } = newStore(clock));
  });
  const sightings = async (): Promise<readonly (readonly [string, number])[]> =>
    (await register.list()).map((orphan) => [orphan.name, orphan.sightings] as const);

  it('counts only sightings that are far enough apart', async () => {
    await register.saw([anOrphan('a')], 1000);
    clock.forward(999);
    await register.saw([anOrphan('a'), anOrphan('b')], 1000);
    expect(await sightings()).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    clock.forward(1);
    await register.saw([anOrphan('a'), anOrphan('b')], 1000);
    expect(await sightings()).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });

  it('deletes runs that are no longer orphans, and restarts their count', async () => {
    await register.saw([anOrphan('a')], 0);
    await register.saw([anOrphan('a')], 0);
    await register.requestRemoval();
    await register.saw([], 0);
    expect(await register.list()).toEqual([]);
    await register.saw([anOrphan('a')], 0);
    expect(await register.list()).toMatchObject([{ ...anOrphan('a'), sightings: 1, removing: false }]);
  });

  it('removes no run that was seen once, and keeps the removal request until it is done', async () => {
    const firstSeenAt = new Date(clock.now()).toISOString();
    await register.saw([anOrphan('a')], 1000);
    clock.forward(1000);
    await register.saw([anOrphan('a'), anOrphan('b')], 1000);
    await expect(register.requestRemoval()).resolves.toEqual(['a']);
    clock.forward(1000);
    await register.saw([anOrphan('a'), anOrphan('b')], 1000);
    expect(await register.list()).toEqual([
      { ...anOrphan('a'), firstSeenAt, sightings: 3, removing: true },
      expect.objectContaining({ name: 'b', sightings: 2, removing: false }),
    ]);
    await register.removed('a');
    await register.removed('a');
    expect(await sightings()).toEqual([['b', 2]]);
  });
});
