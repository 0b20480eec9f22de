import { sessionCountsSchema, sessionPageSchema, sessionViewSchema } from './answers';
import { lineOf, pageLimit } from '../route/query';
import { sessionGroup, submittedIn, wallQuery } from './session-group';
import { declareRoutes, ifMatch, ifNoneMatch, sessionTag } from '../route/route';
import { choice, number, text, usual } from '../schema/schema';
import { sessionHeadSchema } from './session';
import { sessionOrders } from './session-sorts';
import { queueStatusAnswerSchema } from '../launches/shares';
import {
  cycleRemovalSchema,
  forkRequestSchema,
  priorityRequestSchema,
  resumptionSchema,
  submissionSchema,
} from './submission';
import { wallViewSchema } from './wall';

const decimal = String.raw`\d{1,5}(?:\.\d{1,9})?`;
const angstroms = { minimum: 0, maximum: 1000 } as const;
const fraction = { minimum: 0, maximum: 1 } as const;
const correlation = { minimum: -1, maximum: 1 } as const;

export const sessionsRoutes = declareRoutes({
  sessions: {
    submit: {
      method: 'POST',
      path: '/v1/sessions',
      permission: 'session.submit',
      summary: 'Starts a session',
      description: 'If a submission has problems, the response lists all of them and no session starts.',
      headers: { 'Idempotency-Key': { description: 'repeating the same key and body returns the same session' } },
      body: submissionSchema,
      examples: [
        {
          title: 'lysozyme, crystal 7',
          proposal: 'mx1234',
          files: ['/data/mx1234/xtal7/data.mtz', '/data/mx1234/xtal7/model.pdb', '/data/mx1234/xtal7/lysozyme.fa'],
          advice: 'solve by molecular replacement, then stop after two refinements',
          settings: { max_cycles: 10 },
        },
      ],
      status: 201,
      answer: sessionViewSchema,
      answerHeaders: {
        Location: 'the session',
        ...sessionTag,
        'Idempotency-Replayed': 'true when the key was used before',
      },
      errors: [409, 422],
    },
    list: {
      method: 'GET',
      path: '/v1/sessions',
      permission: 'session.list',
      summary: 'Lists sessions, newest first',
      description:
        'Filters are combined with AND. Sessions without the sort value come last; sessions with equal values are sorted by creation time.',
      query: {
        ...sessionGroup,
        text: lineOf('only sessions whose title, sample or id contains this text (case-insensitive)'),
        failure: lineOf('only unsuccessful sessions whose end reason contains this text (case-insensitive)'),
        ligand: text(
          'only sessions with this ligand (requested, supplied as a dictionary, or fitted); a code such as NAG',
          {
            pattern: '^[A-Za-z0-9]{1,5}$',
            'x-allowed': 'a code of 1 to 5 letters and digits, such as NAG',
          },
        ),
        spaceGroup: {
          ...lineOf('only sessions in this space group (of the last model, or of the data if there is no model)'),
          'x-allowed': 'a Hermann-Mauguin symbol, such as P 43 21 2, P212121 or H 3',
        },
        cell: text(
          'only crystals with this unit cell in any setting: a, b, c in Å; alpha, beta, gamma in degrees; then the centring letter (default: that of the space group, otherwise P)',
          {
            pattern: `^${decimal}(?:[ ,]+${decimal}){5}(?:[ ,]+[PABCIFRH])?$`,
            'x-allowed':
              'a, b, c in Å and alpha, beta, gamma in degrees, such as 78,78,37,90,90,90; for a centred cell its letter follows, such as 92,46,60,90,107,90,C',
          },
        ),
        cellTolerance: number(
          'tolerance for reduced cells: percent of each edge length, and degrees of each angle; 0 to 10, default 1',
          { minimum: 0, maximum: 10 },
        ),
        minResolution: number('only sessions whose data have a resolution limit of at least this, in Å', angstroms),
        maxResolution: number('only sessions whose data have a resolution limit of at most this, in Å', angstroms),
        minRFree: number('only sessions with an R-free of at least this, a fraction', fraction),
        maxRFree: number('only sessions with an R-free of at most this, a fraction', fraction),
        minCc: number('only sessions with a map correlation of at least this', correlation),
        maxCc: number('only sessions with a map correlation of at most this', correlation),
        program: text('only sessions that have started this program, such as phenix.refine', {
          pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
          'x-allowed': 'the name of a program, such as phenix.refine',
        }),
        ...submittedIn,
        sort: usual(
          choice(sessionOrders, 'sort key; a leading "-" sorts in descending order; default -created (newest first)'),
          '-created',
        ),
        limit: pageLimit('page size: 1 to 500, default 50', 500, 50),
        cursor: text('nextCursor of the previous page, with the same filters and sort', {
          pattern: '^W[A-Za-z0-9_-]{20,2000}$',
          'x-allowed': 'a nextCursor of an earlier answer with the same sort',
        }),
      },
      answer: sessionPageSchema,
    },
    session: {
      method: 'GET',
      path: '/v1/sessions/{id}',
      permission: 'session.read',
      summary: 'A session with its cycles',
      headers: ifNoneMatch,
      answer: sessionViewSchema,
      answerHeaders: sessionTag,
      errors: [404, 409],
    },
    status: {
      method: 'GET',
      path: '/v1/sessions/{id}/status',
      permission: 'session.read',
      summary: 'The status of a session: cheap, for polling',
      headers: ifNoneMatch,
      answer: sessionHeadSchema,
      answerHeaders: sessionTag,
      errors: [404, 409],
    },
    cancel: {
      method: 'POST',
      path: '/v1/sessions/{id}/cancel',
      permission: 'session.change',
      summary: 'Cancels a session: stops its program, keeps its files',
      description:
        'Returns immediately. The session is `cancelling` until everything it started has stopped. Safe to repeat.',
      status: 202,
      answer: sessionHeadSchema,
      errors: [404, 409],
    },
  },
  counts: {
    counts: {
      method: 'GET',
      path: '/v1/counts',
      permission: 'session.list',
      summary: 'Numbers of running, waiting and ended sessions',
      description: 'Counts the sessions that the session list returns for the same parameters.',
      query: {
        proposal: sessionGroup.proposal,
        beamline: sessionGroup.beamline,
        batch: sessionGroup.batch,
        submitter: sessionGroup.submitter,
      },
      answer: sessionCountsSchema,
    },
  },
  wall: {
    wall: {
      method: 'GET',
      path: '/v1/wall',
      permission: 'wall.read',
      summary: 'Content of the wall display: counts, running sessions, recently ended sessions',
      description:
        'Covers the sessions that the caller may see, with only the fields that are suitable for a public screen.',
      query: wallQuery,
      answer: wallViewSchema,
    },
  },
  queueStatuses: {
    queueStatus: {
      method: 'GET',
      path: '/v1/sessions/{id}/queue-status',
      permission: 'session.read',
      summary: 'Queue position of a session whose program waits for a slot',
      description:
        'The reason, the position, the start of the longest wait for the same limit, and an estimated start. Without `queueStatus`, the program does not wait for a slot or is next.',
      answer: queueStatusAnswerSchema,
      errors: [404],
    },
  },
  sessionTools: {
    removeLastCycles: {
      method: 'POST',
      path: '/v1/sessions/{id}/remove-last-cycles',
      permission: 'session.change',
      summary: 'Removes the last cycles from the record of an ended session',
      description:
        'Best files, metrics and summary are derived from the remaining cycles. A `cycles_removed` event records the removed cycles. Files on disk are kept. The session is `cancelled` until it is resumed. Repeating the request removes more cycles; send If-Match to prevent that.',
      headers: ifMatch,
      body: cycleRemovalSchema,
      examples: [{ count: 2 }],
      answer: sessionViewSchema,
      answerHeaders: sessionTag,
      errors: [404, 409, 410, 412],
    },
    resume: {
      method: 'POST',
      path: '/v1/sessions/{id}/resume',
      permission: 'session.change',
      summary: 'Resumes an ended session',
      description:
        'The session continues with its next cycle. Advice, directives and settings in the body replace the earlier ones. New files are inspected as at submission and added. A file that the session already has is accepted in its present state.',
      headers: ifMatch,
      body: resumptionSchema,
      bodyMayBeAbsent: true,
      examples: [{ files: ['/data/mx1234/xtal7/ligand.cif'], advice: 'fit the ligand' }],
      answer: sessionViewSchema,
      answerHeaders: sessionTag,
      errors: [404, 409, 410, 412],
    },
    fork: {
      method: 'POST',
      path: '/v1/sessions/{id}/fork',
      permission: 'session.submit',
      summary: 'Forks a session: starts a new session that continues after one of its cycles',
      description:
        'The new session has the records and files of the cycles up to that one, in its own folder, and decides the next cycle. The original session is unchanged and may be running. The fork uses the current files, settings, advice and directives of the original, except those in the body. `max_cycles` also counts the copied cycles. The fork belongs to no batch.',
      headers: { 'Idempotency-Key': { description: 'repeating the same key and body returns the same session' } },
      body: forkRequestSchema,
      examples: [{ cycle: 3, advice: 'place the ligand first', settings: { max_cycles: 30 } }],
      status: 201,
      answer: sessionViewSchema,
      answerHeaders: {
        Location: 'the new session',
        ...sessionTag,
        'Idempotency-Replayed': 'true when the key was used before',
      },
      errors: [404, 409, 410],
    },
    setPriority: {
      method: 'POST',
      path: '/v1/sessions/{id}/priority',
      permission: 'session.change',
      summary: 'Changes the priority of a running session',
      description:
        'A program that waits for a slot moves in the queue. A program that runs or is queued on the cluster is not affected. The gateway refuses `live` where the site does not allow it. Safe to repeat.',
      headers: ifMatch,
      body: priorityRequestSchema,
      examples: [{ priority: 'backfill' }],
      answer: sessionViewSchema,
      answerHeaders: sessionTag,
      errors: [404, 409, 412],
    },
  },
});
