import type { EventsView, StoredEvent } from '@fleet/contracts/sessions';

/** @param after the id that was asked for: where the next part begins when this one is empty */
export const toEventsView = (events: readonly StoredEvent[], after: string): EventsView => ({
  events,
  next: events.at(-1)?.id ?? after,
});
