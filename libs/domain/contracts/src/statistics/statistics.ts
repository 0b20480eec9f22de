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
  'Spread',
  { p50: number('median', { minimum: 0 }), p95: number('95th percentile') },
  {},
  'seconds; absent: no session has the value',
);
export type Spread = Described<typeof spreadSchema>;

const statisticsGroupSchema = record(
  'StatisticsGroup',
  {
    key: text(
      'month: such as 2026-11 (UTC); resolution: `1.5` is the lower end of a bin of 0.5 Å; path: how the model was made; empty: none or unknown',
    ),
    sessions: count('sessions submitted in the period, including unfinished ones'),
    unended: count('running sessions among these'),
    outcomes: countOf<SessionOutcome>(sessionOutcomes, 'ended sessions among these (docs/outcomes.md)'),
    coreHours: hours('wall time of the programs of ended sessions times their assigned cores'),
    gpuHours: hours('wall time of the GPU programs of ended sessions'),
  },
  { toFirstRFree: spreadSchema, toEnd: spreadSchema },
  'a group of sessions',
);
export type StatisticsGroup = Described<typeof statisticsGroupSchema>;

export const statisticsSchema = record(
  'Statistics',
  {
    by: choice(statisticsGroupings),
    groups: list(
      statisticsGroupSchema,
      'months, resolutions and paths in natural order, others by number of sessions, descending',
    ),
  },
  {
    since: time('as requested'),
    until: time('as requested'),
  },
  'statistics of the visible sessions submitted in a period',
);
export type Statistics = Described<typeof statisticsSchema>;
