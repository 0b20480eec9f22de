import { aNewSession, anEvent } from '@fleet/testing';
import { useDatabases } from '../fixtures/databases';
import { PostgresStore } from '../postgres-store';
import { MoveNotifier } from './move-notifier';

const databases = useDatabases();
const soon = 60_000;

describe('MoveNotifier', () => {
  it('wakes only waiters for the session that another process has moved', async () => {
    const { db } = await databases.context();
    const [notifier, other] = [new MoveNotifier(db), new PostgresStore(db)];
    const looks = { moved: 0, still: 0, any: 0 };
    const waiting = (about: keyof typeof looks, enough: number): Promise<unknown> => {
      const look = (): Promise<number> => Promise.resolve((looks[about] += 1));
      return notifier.until(about === 'any' ? undefined : ids[about], look, (count) => count >= enough, soon);
    };
    const ids = { moved: aNewSession().id, still: aNewSession().id };
    // Each checks once at the start, and once after the first poll of the process.
    const still = waiting('still', 3);
    const woken = [waiting('moved', 3), waiting('any', 3)];
    while (looks.moved < 2 || looks.any < 2 || looks.still < 2) await new Promise((resolve) => setImmediate(resolve));
    await other.records.create(aNewSession({ id: ids.moved }), [anEvent()], soon);
    await Promise.all(woken);
    expect(looks).toEqual({ moved: 3, still: 2, any: 3 });
    notifier.close();
    await expect(still).resolves.toBe(3);
    other.close();
  });

  it('returns the last result at the timeout', async () => {
    const { db } = await databases.context();
    const notifier = new MoveNotifier(db);
    await expect(
      notifier.until(
        'x',
        () => Promise.resolve('nothing'),
        () => false,
        1,
      ),
    ).resolves.toBe('nothing');
    notifier.close();
  });
});
