import { eventIdForm } from '@fleet/contracts/sessions';
import { ApiError } from '../../http/errors/problem-details';
import type { HttpReply } from '../../http/http-types';

const eventId = new RegExp(eventIdForm.pattern);

/**
 * Start cursor of a stream; undefined if there is none. A reconnecting client sends it in the header, which is newer
 * than the URL.
 * @throws ApiError `request.invalid`
 */
export const startOf = (lastEventId: string | undefined, asked: string | undefined): string | undefined => {
  if (lastEventId === undefined || lastEventId === '') return asked;
  if (eventId.test(lastEventId)) return lastEventId;
  throw new ApiError('request.invalid', 'The Last-Event-ID header is not the id of an event.', [
    {
      field: 'Last-Event-ID',
      reason: 'is not the id of an event',
      allowed: eventIdForm['x-allowed'],
      code: 'field.value',
    },
  ]);
};

/** Whether the client wants the available events instead of a stream. */
export const wantsJson = (accept: string | undefined): boolean =>
  accept !== undefined && accept.includes('application/json') && !accept.includes('text/event-stream');

/** Response headers set by hooks: a hijacked response does not include them by itself. */
export const textHeaders = (reply: HttpReply): Record<string, string> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([header, value]) =>
      value === undefined ? [] : [[header, String(value)]],
    ),
  );
