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
      description: 'All problems of a submission are listed at once, and nothing is started.',
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
        'A session must match everything that is given. Sessions without the value that they are sorted by come last; sessions with the same value are sorted by time.',
      query: {
        ...sessionGroup,
        text: lineOf('only sessions whose title, sample or id contains this, in any case'),
        failure: lineOf('only sessions that ended without success for a reason that contains this, in any case'),
        ligand: text('only sessions with this ligand: requested, given as a dictionary or fitted; a code such as NAG', {
          pattern: '^[A-Za-z0-9]{1,5}$',
          'x-allowed': 'a code of 1 to 5 letters and digits, such as NAG',
        }),
        spaceGroup: {
          ...lineOf('only sessions in this space group: of the last model, otherwise of the data'),
          'x-allowed': 'a Hermann-Mauguin symbol, such as P 43 21 2, P212121 or H 3',
        },
        cell: text(
          'only crystals with this cell in any setting: a, b, c in Å and alpha, beta, gamma in degrees, then the letter of its centring (by default that of the space group, otherwise P)',
          {
            pattern: `^${decimal}(?:[ ,]+${decimal}){5}(?:[ ,]+[PABCIFRH])?$`,
            'x-allowed':
              'a, b, c in Å and alpha, beta, gamma in degrees, such as 78,78,37,90,90,90; for a centred cell its letter follows, such as 92,46,60,90,107,90,C',
          },
        ),
        cellTolerance: number(
          'percent of the edges and degrees by which reduced cells may differ, 0 to 10, by default 1',
          { minimum: 0, maximum: 10 },
        ),
        minResolution: number('only sessions whose data have a resolution of at least this, in Å', angstroms),
        maxResolution: number('only sessions whose data have a resolution of at most this, in Å', angstroms),
        minRFree: number('only sessions with an R-free of at least this, a fraction', fraction),
        maxRFree: number('only sessions with an R-free of at most this, a fraction', fraction),
        minCc: number('only sessions with a map correlation of at least this', correlation),
        maxCc: number('only sessions with a map correlation of at most this', correlation),
        program: text('only sessions that have started this program, such as phenix.refine', {
          pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
          'x-allowed': 'the name of a program, such as phenix.refine',
        }),
        ...submittedIn,
        sort: usual(choice(sessionOrders, 'by default -created: the newest first; "-" is descending'), '-created'),
        limit: pageLimit('1 to 500, by default 50', 500, 50),
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
      summary: 'Cancels a session: its program is stopped, its files are kept',
      description:
        'Returns at once; the session is `cancelling` until everything it started has stopped. Safe to repeat.',
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
      summary: 'How many sessions run, wait and have ended',
      description: 'Of those that a list with the same parameters would show.',
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
      summary: 'What a wall shows: counts, the sessions that run, and those that ended last',
      description:
        'Of the sessions within reach, with no more of each than a screen may show that everybody can walk up to.',
      query: wallQuery,
      answer: wallViewSchema,
    },
  },
  queueStatuses: {
    queueStatus: {
      method: 'GET',
      path: '/v1/sessions/{id}/queue-status',
      permission: 'session.read',
      summary: 'Where the program of a session stands that waits for a slot',
      description:
        'Why, its position, since when the oldest waits for the same, and an estimate of the start. Without a queueStatus the program does not wait for a slot, or is next.',
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
        'Best files, metrics and the summary then follow from the remaining cycles; what was removed is recorded in a `cycles_removed` event. Files on disk are kept. The session is `cancelled` until it is resumed. Repeating the request removes more: send If-Match.',
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
        'It continues with its next cycle. Advice, directives and settings that are given replace the old ones; files are added to those it has, inspected as at submission. A file it already has is accepted as it is now.',
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
      summary: 'Starts a session that continues from where this one stood after a cycle',
      description:
        'The new session has the records and files of the cycles up to that one, in a folder of its own, and decides on the next cycle. This one stays as it is, and may be running. Files, settings, advice and directives are those of this session now; what is given is other. `max_cycles` counts the cycles from the first one on. It belongs to no batch.',
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
      summary: 'Gives a running session another priority',
      description:
        'A program of it that waits for a place takes another place in the line; one that runs, or that the cluster has in its own queue, continues as it was. Refused is live where the site does not allow it. Safe to repeat.',
      headers: ifMatch,
      body: priorityRequestSchema,
      examples: [{ priority: 'backfill' }],
      answer: sessionViewSchema,
      answerHeaders: sessionTag,
      errors: [404, 409, 412],
    },
  },
});
