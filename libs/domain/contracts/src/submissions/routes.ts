import { sessionViewSchema } from '../sessions/answers';
import { folderViewSchema, submissionReadingSchema } from './folders';
import { adviceReadingSchema, guidanceSchema } from '../guidance/guidance';
import { cursorOf, pageLimit } from '../route/query';
import { declareRoutes } from '../route/route';
import { text } from '../schema/schema';
import { adviceChangeSchema, readingRequestSchema, submissionSchema } from '../sessions/submission';

export const submissionsRoutes = declareRoutes({
  submissions: {
    read: {
      method: 'POST',
      path: '/v1/submissions/preview',
      permission: 'session.submit',
      summary: 'What would become of a submission',
      description:
        'The categories of each file, what is understood of the advice, which command would be run first, and everything for which it would be refused. Nothing is started or kept.',
      body: submissionSchema,
      answer: submissionReadingSchema,
    },
  },
  folders: {
    folder: {
      method: 'GET',
      path: '/v1/folders',
      permission: 'folder.read',
      summary: 'What lies in a folder from which can be submitted',
      description:
        'Only below the data folders, and results of own proposals. A link is listed as what it leads to, and left out where that lies elsewhere.',
      query: {
        path: text('absolute; absent: the data folders themselves', {
          minLength: 1,
          maxLength: 8192,
          'x-allowed': 'an absolute path',
        }),
        limit: pageLimit('1 to 1000, by default 200', 1000, 200),
        cursor: cursorOf('^[df]:[^]{1,1024}$'),
      },
      answer: folderViewSchema,
    },
  },
  advice: {
    read: {
      method: 'POST',
      path: '/v1/advice/preview',
      permission: 'decision.make',
      summary: 'What would be understood of advice in plain words',
      description: 'Nothing is submitted or kept.',
      body: readingRequestSchema,
      examples: [{ advice: 'anomalous data at the selenium edge', experiment: 'xray' }],
      answer: adviceReadingSchema,
    },
    guidance: {
      method: 'GET',
      path: '/v1/sessions/{id}/advice',
      permission: 'session.read',
      summary: 'What is asked for in a session: advice, what was understood of it, and directives',
      answer: guidanceSchema,
      answerHeaders: { ETag: 'the revision of the advice; changes with it alone' },
      errors: [404, 409],
    },
    change: {
      method: 'PUT',
      path: '/v1/sessions/{id}/advice',
      permission: 'session.change',
      summary: 'Changes what is asked for, while a session runs and after it has ended',
      description:
        'In a running session it takes effect at the next decision; the program that runs is not disturbed. "stop" alone ends the session after its present cycle. A session that has ended continues, as it does with resume. Directives take the place of all that there are; what is absent stays.',
      headers: {
        'If-Match': {
          description: 'the ETag of the advice that you last saw; 412 if it has changed since',
          required: true,
        },
      },
      body: adviceChangeSchema,
      examples: [{ advice: 'stop after the next refinement' }],
      answer: sessionViewSchema,
      answerHeaders: { ETag: 'the revision of the advice; changes with it alone' },
      errors: [404, 409, 412, 428],
    },
  },
});
