import { ApiBody, ApiQuery } from '@nestjs/swagger';
import { answers } from './answers';

const query = (name: string, description: string, type = 'string'): MethodDecorator =>
  ApiQuery({ name, required: false, description, schema: { type } });

export const FolderDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'What lies in a folder from which can be submitted',
      description:
        'Only below the data folders, and results of own proposals. A link is listed as what it leads to, and left out where that lies elsewhere.',
      status: 200,
      schema: 'Folder',
    },
    query('path', 'absolute; absent: the data folders themselves'),
    query('limit', '1 to 1000, by default 200', 'integer'),
    query('cursor', 'nextCursor of the previous page'),
  );

export const SubmissionReadingDocs = (): MethodDecorator =>
  answers(
    {
      summary: 'What would become of a submission',
      description:
        'The categories of each file, what is understood of the advice, which command would be run first, and everything for which it would be refused. ' +
        'Nothing is started or kept.',
      changes: true,
      status: 200,
      schema: 'SubmissionReading',
    },
    ApiBody({ schema: { $ref: '#/components/schemas/Submission' } }),
  );
