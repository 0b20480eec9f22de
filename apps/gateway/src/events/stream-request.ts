import { ApiError } from '../errors/problem-details';
import type { HttpReply } from '../http/http-types';

/** As the store numbers them: two whole numbers of 64 bits, of which all that have 19 digits fit. */
export const eventId = /^\d{1,19}(-\d{1,19})?$/;
export const eventIdAllowed = 'the id of an event, or 0 for all';

/**
 * Where a stream begins; undefined where nobody says. A client that was cut off says where in the header, which is newer than the address.
 * @throws ApiError `request.invalid`
 */
export const startOf = (lastEventId: string | undefined, asked: string | undefined): string | undefined => {
  if (lastEventId === undefined || lastEventId === '') return asked;
  if (eventId.test(lastEventId)) return lastEventId;
  throw new ApiError('request.invalid', 'The Last-Event-ID header is not the id of an event.', [
    { field: 'Last-Event-ID', reason: 'is not the id of an event', allowed: eventIdAllowed, code: 'field.value' },
  ]);
};

/** Whether somebody wants what there is now and no stream. */
export const wantsJson = (accept: string | undefined): boolean =>
  accept !== undefined && accept.includes('application/json') && !accept.includes('text/event-stream');

/** What hooks have set on the answer: a hijacked one does not carry it by itself. */
export const textHeaders = (reply: HttpReply): Record<string, string> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([header, value]) =>
      value === undefined ? [] : [[header, String(value)]],
    ),
  );
