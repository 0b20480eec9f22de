import { ApiBody, ApiHeader } from '@nestjs/swagger';
import { answers } from './answers';

const body = (schema: string): MethodDecorator => ApiBody({ schema: { $ref: `#/components/schemas/${schema}` } });
const etag = { ETag: 'the revision of the advice; changes with it alone' };

export const ReadingDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'What would be understood of advice in plain words',
      description: 'Nothing is submitted or kept.',
      changes: true,
      status: 200,
      schema: 'AdviceReading',
    },
    body('ReadingWish'),
  );

export const AdviceDocs = (): MethodDecorator =>
  answers({
    summary: 'What is asked for in a session: advice, what was understood of it, and directives',
    status: 200,
    schema: 'Guidance',
    headers: etag,
    errors: [404, 409],
  });

export const ChangeAdviceDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'Changes what is asked for, while a session runs and after it has ended',
      description:
        'In a running session it takes effect at the next decision; the program that runs is not disturbed. "stop" alone ends the session after its ' +
        'present cycle. A session that has ended continues, as it does with resume. Directives take the place of all that there are; what is absent stays.',
      changes: true,
      status: 200,
      schema: 'Session',
      headers: etag,
      errors: [404, 409, 412, 428],
    },
    ApiHeader({
      name: 'If-Match',
      required: true,
      description: 'the ETag of the advice that you last saw; 412 if it has changed since',
    }),
    body('AdviceChange'),
  );
