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
        'Each message is an Event as JSON with its id. The stream ends with an `end` event when the session has ended. With `Accept: application/json` the response is the list of events so far (EventList).',
      query: {
        after: text('continue after this event id; the Last-Event-ID header takes precedence', eventIdForm),
        limit: pageLimit('number of events in a JSON response: 1 to 5000, default 1000', 5000, 1000),
      },
      headers: { 'Last-Event-ID': { description: 'continue after this event id' } },
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
      summary: 'Updates of all sessions that the caller may see, as Server-Sent Events',
      description:
        'Each message is a change of a session as JSON (SessionUpdate). Its id is a cursor that any gateway accepts as `Last-Event-ID`. Other events: `ready` (the stream is open; read your lists now), `reload` (StreamNotice: updates were missed; read your lists again), `away` (the database is unreachable; the stream continues when it is back) and `end` (StreamNotice: why the stream ends). A filter by status or outcome also reports sessions that stop matching it. A key with the role kiosk receives a WallRow as `session` and no events, and can filter by proposal and beamline only. With `Accept: application/json` the response contains the updates after `after` (SessionUpdatePage).',
      query: {
        after: text(
          'continue after this cursor; default: only new updates; the Last-Event-ID header takes precedence',
          eventIdForm,
        ),
        ...sessionGroup,
        status: choice(sessionStatuses, 'only sessions that have this status, or had it before the change'),
        outcome: choice(sessionOutcomes, 'only sessions with this outcome, and resumed sessions'),
      },
      headers: { 'Last-Event-ID': { description: 'continue after this cursor' } },
      answer: sessionUpdatePageSchema,
      media: 'text/event-stream',
      messages: [streamNoticeSchema],
    },
  },
});
