import { eventsViewSchema, sessionUpdatePageSchema, streamNoticeSchema } from '../sessions/answers';
import { eventIdForm } from '../sessions/events';
import { pageLimit } from '../route/query';
import { sessionGroup } from '../sessions/session-group';
import { declareRoutes } from '../route/route';
import { choice, text } from '../schema/schema';
import { sessionOutcomes, sessionStatuses } from '../sessions/session';

export const eventsRoutes = declareRoutes({
  sessionEvents: {
    events: {
      method: 'GET',
      path: '/v1/sessions/{id}/events',
      permission: 'session.read',
      summary: 'Past and live events, as Server-Sent Events',
      description:
        'Each message is an Event as JSON with its id. The stream ends with an `end` event once the session has ended. With `Accept: application/json` it returns the events so far (EventList).',
      query: {
        after: text('continue after this event; the header takes precedence', eventIdForm),
        limit: pageLimit('of a JSON answer: 1 to 5000, by default 1000', 5000, 1000),
      },
      headers: { 'Last-Event-ID': { description: 'continue after this event' } },
      answer: eventsViewSchema,
      media: 'text/event-stream',
      errors: [404, 409],
    },
  },
  updates: {
    follow: {
      method: 'GET',
      path: '/v1/events',
      permission: 'wall.read',
      summary: 'What happens to all sessions within reach, as Server-Sent Events',
      description:
        'Each message is a move of a session as JSON (SessionUpdate), its id the place in the moves of all sessions: `Last-Event-ID` continues after it, at any gateway. `ready` says that the stream stands (read your lists then); `reload` (StreamNotice) that something was missed, so that lists have to be read again; `away` that the store cannot be reached for now, and the stream continues afterwards; `end` (StreamNotice) why the stream ends. A filter by status or outcome also tells of sessions that leave it. A key of the role kiosk gets a WallRow as `session` and no events, and filters by proposal and beamline only. With `Accept: application/json` it returns what there is after `after` (SessionUpdatePage).',
      query: {
        after: text('continue after this place, by default from now on; the header takes precedence', eventIdForm),
        ...sessionGroup,
        status: choice(sessionStatuses, 'only sessions that have, or had before the move, this status'),
        outcome: choice(sessionOutcomes, 'only sessions with this outcome, and those that continue again'),
      },
      headers: { 'Last-Event-ID': { description: 'continue after this place' } },
      answer: sessionUpdatePageSchema,
      media: 'text/event-stream',
      messages: [streamNoticeSchema],
    },
  },
});
