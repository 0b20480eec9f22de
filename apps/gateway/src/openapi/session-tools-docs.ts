import { ApiBody, ApiHeader } from '@nestjs/swagger';
import { answers } from './answers';

const ifMatch = ApiHeader({
  name: 'If-Match',
  required: false,
  description: 'the ETag that you saw; refused with 412 when the session has moved on since',
});
const etag = { ETag: 'changes with every move of the session' };
const body = (schema: string): MethodDecorator => ApiBody({ schema: { $ref: `#/components/schemas/${schema}` } });

export const RemoveLastCyclesDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Takes the last cycles out of the record of a session that has ended',
      description:
        'Best files, metrics and the summary are then those of the cycles that remain; what was taken out is told in a ' +
        '`cycles_removed` event. Files on disk stay. The session is `cancelled` until it is resumed. Repeating it takes out more: send If-Match.',
      changes: true,
      status: 200,
      schema: 'Session',
      headers: etag,
      errors: [404, 409, 412],
    },
    ifMatch,
    body('CycleRemoval'),
  );

export const ResumeDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Lets a session that has ended go on',
      description:
        'It decides on its next cycle. Advice, directives and settings change where they are given; files are added to those that it has, ' +
        'looked into as at the submission. One that it has already is taken as it is now.',
      changes: true,
      status: 200,
      schema: 'Session',
      headers: etag,
      errors: [404, 409, 412],
    },
    ifMatch,
    body('Resumption'),
  );
