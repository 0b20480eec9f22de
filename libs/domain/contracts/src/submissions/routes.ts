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
      summary: 'Previews a submission',
      description:
        'Shows the categories of each file, the interpretation of the advice, the first command, and all problems for which the submission would be rejected. Nothing is started or stored.',
      body: submissionSchema,
      answer: submissionReadingSchema,
    },
  },
  folders: {
    folder: {
      method: 'GET',
      path: '/v1/folders',
      permission: 'folder.read',
      summary: 'Lists a data folder',
      description:
        "Covers the data folders and the results of the caller's proposals. A link is listed as its target; a link that leaves these folders is omitted.",
      query: {
        path: text('absolute path; absent: the list of data folders', {
          minLength: 1,
          maxLength: 8192,
          'x-allowed': 'an absolute path',
        }),
        limit: pageLimit('page size: 1 to 1000, default 200', 1000, 200),
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
      summary: 'Previews how advice in plain words is interpreted',
      description: 'Nothing is submitted or stored.',
      body: readingRequestSchema,
      examples: [{ advice: 'anomalous data at the selenium edge', experiment: 'xray' }],
      answer: adviceReadingSchema,
    },
    guidance: {
      method: 'GET',
      path: '/v1/sessions/{id}/advice',
      permission: 'session.read',
      summary: 'Guidance of a session: advice, its interpretation, and directives',
      answer: guidanceSchema,
      answerHeaders: { ETag: 'revision of the guidance; changes only when the guidance changes' },
      errors: [404, 409],
    },
    change: {
      method: 'PUT',
      path: '/v1/sessions/{id}/advice',
      permission: 'session.change',
      summary: 'Changes the guidance of a running or ended session',
      description:
        'In a running session the change takes effect at the next decision; the current program continues. The advice "stop" ends the session after its current cycle. An ended session continues, as with resume. Directives in the body replace all earlier directives. Absent fields are unchanged.',
      headers: {
        'If-Match': {
          description: 'last known ETag of the guidance; 412 if it has changed since',
          required: true,
        },
      },
      body: adviceChangeSchema,
      examples: [{ advice: 'stop after the next refinement' }],
      answer: sessionViewSchema,
      answerHeaders: { ETag: 'revision of the guidance; changes only when the guidance changes' },
      errors: [404, 409, 412, 428],
    },
  },
});
