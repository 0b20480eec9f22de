import type { EventsView, StoredEvent } from '@fleet/contracts/sessions';

/** @param after the requested id: the cursor of the next page if this one is empty */
export const toEventsView = (events: readonly StoredEvent[], after: string): EventsView => ({
  events,
  next: events.at(-1)?.id ?? after,
});
