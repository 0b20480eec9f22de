import { sessionOutcomes, type SessionOutcome } from '../sessions/session';
import { choice, list, number, record, text, type Described } from '../schema/schema';
import { count, countOf, time } from '../schema/schema-fields';

/**
 * How a session came to its model, by the programs that it ran (`solutionPathOf`): the first of these that applies.
 * - `experimental_phasing`: SAD or MAD, also with a placed model (MR-SAD);
 * - `prediction`: a model was predicted from the sequence;
 * - `molecular_replacement`: a model was placed in the crystal;
 * - `docking`: a model was placed in a map;
 * - `map_building`: a model was built into a map;
 * - `refinement`: the submitted model was already placed;
 * - `none`: no program made or refined a model.
 */
export const solutionPaths = [
  'experimental_phasing',
  'prediction',
  'molecular_replacement',
  'docking',
  'map_building',
  'refinement',
  'none',
] as const;
export type SolutionPath = (typeof solutionPaths)[number];

/** Groupings of statistics. */
export const statisticsGroupings = ['month', 'beamline', 'proposal', 'submitter', 'resolution', 'path'] as const;
export type StatisticsGrouping = (typeof statisticsGroupings)[number];

const hours = (what: string) => number(`${what}, in hours`, { minimum: 0 });

const spreadSchema = record(
  { p50: number('half of them took at most this', { minimum: 0 }), p95: number('95 % of them took at most this') },
  {},
  'seconds; absent where none of them has it',
);
export type Spread = Described<typeof spreadSchema>;

export const statisticsGroupSchema = record(
  'StatisticsGroup',
  {
    key: text(
      'month: such as 2026-11 (UTC); resolution: `1.5`, the lower end in Å of a bin that is 0.5 Å wide; path: how the model was made; empty: of none, or not known',
    ),
    sessions: count('submitted in this time, those that have not ended included'),
    unended: count('of these, those that run'),
    outcomes: countOf<SessionOutcome>(sessionOutcomes, 'of these, those that have ended (docs/outcomes.md)'),
    coreHours: hours('wall time of the programs of ended sessions times the cores that they were given'),
    gpuHours: hours('wall time of the programs of ended sessions that were given a GPU'),
  },
  { toFirstRFree: spreadSchema, toEnd: spreadSchema },
  'sessions that have something in common',
);
export type StatisticsGroup = Described<typeof statisticsGroupSchema>;

export const statisticsSchema = record(
  'Statistics',
  {
    by: choice(statisticsGroupings),
    groups: list(
      statisticsGroupSchema,
      'months, resolutions and paths in their order, others by sessions, the most first',
    ),
  },
  {
    since: time('as requested'),
    until: time('as requested'),
  },
  'figures of the sessions within reach that were submitted in a time',
);
export type Statistics = Described<typeof statisticsSchema>;
