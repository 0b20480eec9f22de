import { lineOf, nameOf } from '../route/query';
import { choice, text } from '../schema/schema';
import { time } from '../schema/schema-fields';
import { sessionOutcomes, sessionStatuses } from './session';

/** When sessions were submitted. */
export const submittedIn = {
  since: time('only sessions submitted at or after this time (ISO 8601)'),
  until: time('only sessions submitted before this time (ISO 8601)'),
} as const;

/** Common properties of sessions. */
export const sessionGroup = {
  status: choice(sessionStatuses, 'only sessions with this status'),
  outcome: choice(sessionOutcomes, 'only ended sessions with this outcome'),
  proposal: nameOf('only sessions of this proposal'),
  beamline: nameOf('only sessions from this beamline'),
  batch: text('only sessions of this batch', {
    pattern: '^[0-9a-z][0-9a-z-]{0,63}$',
    'x-allowed': 'the id of a batch',
  }),
  submitter: lineOf('only sessions of this submitter'),
} as const;

/** Filters of a wall: another filter would disclose what its rows do not show. */
export const wallQuery = { proposal: sessionGroup.proposal, beamline: sessionGroup.beamline } as const;
