import { ApiBody, ApiHeader } from '@nestjs/swagger';
import { answers } from './answers';

const ifMatch = ApiHeader({
  name: 'If-Match',
  required: false,
  description: 'the ETag you last saw; 412 if the session has changed since',
});
const etag = { ETag: 'changes whenever the session changes' };
const body = (schema: string): MethodDecorator => ApiBody({ schema: { $ref: `#/components/schemas/${schema}` } });

export const RemoveLastCyclesDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Removes the last cycles from the record of an ended session',
      description:
        'Best files, metrics and the summary then follow from the remaining cycles; what was removed is recorded in a ' +
        '`cycles_removed` event. Files on disk are kept. The session is `cancelled` until it is resumed. Repeating the request removes more: send If-Match.',
      changes: true,
      status: 200,
      schema: 'Session',
      headers: etag,
      errors: [404, 409, 410, 412],
    },
    ifMatch,
    body('CycleRemoval'),
  );

export const ResumeDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Resumes an ended session',
      description:
        'It continues with its next cycle. Advice, directives and settings that are given replace the old ones; files are added to those it has, ' +
        'inspected as at submission. A file it already has is accepted as it is now.',
      changes: true,
      status: 200,
      schema: 'Session',
      headers: etag,
      errors: [404, 409, 410, 412],
    },
    ifMatch,
    body('Resumption'),
  );

export const ForkDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Starts a session that continues from where this one stood after a cycle',
      description:
        'The new session has the records and files of the cycles up to that one, in a folder of its own, and decides on the next cycle. This one stays as ' +
        'it is, and may be running. Files, settings, advice and directives are those of this session now; what is given is other. `max_cycles` counts ' +
        'the cycles from the first one on. It belongs to no batch.',
      changes: true,
      status: 201,
      schema: 'Session',
      headers: { Location: 'the new session', ...etag, 'Idempotency-Replayed': 'true when the key was used before' },
      errors: [404, 409, 410],
    },
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'repeating the same key and body returns the same session',
    }),
    body('ForkWish'),
  );

export const SessionPriorityDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Gives a running session another priority',
      description:
        'A program of it that waits for a place takes another place in the line; one that runs, or that the cluster has in its own queue, continues as ' +
        'it was. Refused is live where the site does not allow it. Safe to repeat.',
      changes: true,
      status: 200,
      schema: 'Session',
      headers: etag,
      errors: [404, 409, 412],
    },
    ifMatch,
    body('PriorityWish'),
  );
