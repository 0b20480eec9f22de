import {
  launchModes,
  type AdminView,
  type KnownOrphan,
  type LaunchState,
  type OrphansView,
  type RemovalView,
} from '@fleet/ports';
import type { LaunchBody } from '../administration/read-launch-body';
import { flag, integer, listOf, objectOf, oneOf, openObject, ref, text, time, type JsonSchema } from './json-schema';

const counts = (what: string): JsonSchema => ({
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: what,
});

/** Schemas of /v1/admin. */
export const administrationSchemas: Readonly<Record<string, JsonSchema>> = {
  Launch: objectOf<LaunchState>({
    mode: oneOf([...launchModes]),
    reason: text('one sentence; empty: none was given'),
    by: text('who said so; empty: nobody was named'),
    since: text('ISO 8601; empty: it never changed'),
  }),
  LaunchWish: {
    ...objectOf<LaunchBody>({ mode: oneOf([...launchModes]), reason: text(), by: text() }),
    required: ['mode'],
  },
  AdminStatus: objectOf<AdminView>(
    {
      launches: ref('Launch'),
      runs: integer('they run, or stand in line on the backend'),
      runsByClass: counts('by class of nodes'),
      runsByProposal: counts('by proposal'),
      waiting: integer('for a place, for launches to be opened, or in line on the backend'),
      oldestWaitingSince: time,
    },
    ['oldestWaitingSince'],
  ),
  Orphan: objectOf<KnownOrphan>({
    name: text(),
    owner: openObject('sessionId, cycle, attempt, proposal'),
    createdAt: time,
    because: text('why no session wants it'),
    firstSeenAt: time,
    strikes: integer('looks at which it was an orphan; from two on it may be removed'),
    removing: flag('somebody asked for its removal'),
  }),
  Orphans: objectOf<OrphansView>({ orphans: listOf(ref('Orphan')) }),
  OrphanRemoval: objectOf<RemovalView>({ removing: listOf(text(), 'names') }),
};
