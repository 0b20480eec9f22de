import { sessionOutcomes, sessionStatuses } from '@fleet/contracts';
import { ApiHeader, ApiQuery } from '@nestjs/swagger';
import { answers } from './answers';

const query = (name: string, description: string, values?: readonly string[]): MethodDecorator =>
  ApiQuery({
    name,
    required: false,
    description,
    schema: { type: 'string', ...(values !== undefined && { enum: [...values] }) },
  });

export const NewsDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'What happens to all sessions within reach, as Server-Sent Events',
      description:
        'Each message is a move of a session as JSON (SessionNews), its id the place in the moves of all sessions: `Last-Event-ID` continues ' +
        'after it, at any gateway. `ready` says that the stream stands (read your lists then); `reload` (StreamNotice) that something was ' +
        'missed, so that lists have to be read again; `away` that the store cannot be reached for now, and the stream continues afterwards; `end` (StreamNotice) why the stream ends. A filter by status or outcome also tells ' +
        'of sessions that leave it. A key of the role kiosk gets a WallRow as `session` and no events, and filters by proposal and beamline only. With `Accept: application/json` it returns what there is after `after` (SessionNewsPage).',
      status: 200,
      media: 'text/event-stream',
      schema: 'SessionNewsPage',
    },
    ApiHeader({ name: 'Last-Event-ID', required: false, description: 'continue after this place' }),
    query('after', 'continue after this place, by default from now on; the header takes precedence'),
    query('status', 'only sessions that have, or had before the move, this status', sessionStatuses),
    query('outcome', 'only sessions with this outcome, and those that continue again', sessionOutcomes),
    query('proposal', 'only sessions of this proposal'),
    query('beamline', 'only sessions from this beamline'),
    query('batch', 'only sessions of this batch'),
    query('submitter', 'only sessions of this submitter'),
  );
