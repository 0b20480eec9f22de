import { sessionOutcomes } from '@fleet/contracts/sessions';
import type { Statistics, StatisticsGroup } from '@fleet/contracts/statistics';
import { csvLine, type Cell } from './csv-line';

/** The columns besides the key; times are in seconds. */
const columns: Readonly<Record<string, (group: StatisticsGroup) => Cell>> = {
  sessions: ({ sessions }) => sessions,
  unended: ({ unended }) => unended,
  ...Object.fromEntries(
    sessionOutcomes.map((outcome) => [outcome, ({ outcomes }: StatisticsGroup): Cell => outcomes[outcome]]),
  ),
  first_r_free_p50_s: ({ toFirstRFree }) => toFirstRFree?.p50,
  first_r_free_p95_s: ({ toFirstRFree }) => toFirstRFree?.p95,
  end_p50_s: ({ toEnd }) => toEnd?.p50,
  end_p95_s: ({ toEnd }) => toEnd?.p95,
  core_hours: ({ coreHours }) => coreHours.toFixed(3),
  gpu_hours: ({ gpuHours }) => gpuHours.toFixed(3),
};

/** Statistics as a table, with a line for each group. */
export const statisticsCsv = ({ by, groups }: Statistics): string =>
  [
    csvLine([by, ...Object.keys(columns)]),
    ...groups.map((group) => csvLine([group.key, ...Object.values(columns).map((cellOf) => cellOf(group))])),
  ].join('');
