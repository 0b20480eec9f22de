import { aNewSession, anEvent, anId } from './builders';
import type { PortContract, StorePorts } from './store-ports';

type Get = () => StorePorts;

/** The behavior of every SessionEvents. */
export const sessionEventsContract: PortContract = (store) => {
  reading(store);
  waiting(store);
};

const reading = (store: Get): void => {
  it('returns the events after an id, oldest first, up to the limit', async () => {
    const made = aNewSession();
    const events = ['a', 'b', 'c', 'd'].map((message) =>
      anEvent({ message, data: { n: 1, deep: { x: [null, 'é'] } } }),
    );
    await store().records.create(made, events, 1000);
    const all = await store().events.after(made.id, '0', 100);
    expect(all).toEqual(events.map((event) => ({ ...event, id: expect.any(String) as string })));
    const two = await store().events.after(made.id, all[0]!.id, 2);
    expect(two).toEqual(all.slice(1, 3));
    await expect(store().events.after(made.id, all[3]!.id, 10)).resolves.toEqual([]);
  });

  it.each(['', 'x', '-1', '1-', '1-2-3', '$', '(0', '+'])('rejects %j as the id of an event', async (id) => {
    await expect(store().events.after(anId(), id, 10)).rejects.toMatchObject({ code: 'event.bad_id', kind: 'caller' });
    await expect(store().events.waitAfter(anId(), id, 1)).rejects.toMatchObject({ code: 'event.bad_id' });
  });
};

const waiting = (store: Get): void => {
  it('returns existing events at once', async () => {
    const made = aNewSession();
    await store().records.create(made, [anEvent({ message: 'first' })], 1000);
    await expect(store().events.waitAfter(made.id, '0', 60_000)).resolves.toMatchObject([{ message: 'first' }]);
  });

  it('waits for the next event, for many readers at once', async () => {
    const made = aNewSession();
    await store().records.create(made, [anEvent()], 1000);
    const last = (await store().events.after(made.id, '0', 1))[0]!.id;
    const readers = [1, 2, 3].map(() => store().events.waitAfter(made.id, last, 60_000));
    await new Promise((resolve) => setTimeout(resolve, 30));
    await store().records.requestCancel(made.id, anEvent({ message: 'news' }));
    for (const reader of readers) await expect(reader).resolves.toMatchObject([{ message: 'news' }]);
  });

  it('returns at the timeout', async () => {
    const made = aNewSession();
    await store().records.create(made, [], 1000);
    await expect(store().events.waitAfter(made.id, '0', 30)).resolves.toEqual([]);
  });
};
