import type { BatchResult } from '@fleet/contracts/batches';
import { csvLine, type Cell } from './csv-line';

const number = (value: number | undefined, digits: number): string | undefined => value?.toFixed(digits);

const yesOrNo = (value: boolean | undefined): string | undefined =>
  value === undefined ? undefined : value ? 'yes' : 'no';

/** The columns of a table of results, and their values. */
const columns: Readonly<Record<string, (result: BatchResult) => Cell>> = {
  row: ({ row }) => row,
  state: ({ state }) => state,
  session: ({ session }) => session?.id,
  title: ({ session }) => session?.title,
  status: ({ session }) => session?.status,
  outcome: ({ session }) => session?.outcome,
  stop_reason: ({ session }) => session?.stopReason,
  cycle: ({ session }) => session?.cycle,
  program: ({ session }) => session?.program,
  space_group: ({ session }) => session?.spaceGroup,
  resolution: ({ session }) => number(session?.fit?.resolution ?? session?.resolution, 2),
  r_work: ({ session }) => number(session?.fit?.rWork, 4),
  r_free: ({ session }) => (session?.fit?.metric === 'r_free' ? number(session.fit.value, 4) : undefined),
  fit_metric: ({ session }) => session?.fit?.metric,
  fit: ({ session }) => number(session?.fit?.value, 4),
  ligand: ({ session }) => session?.ligand?.code,
  ligand_in_model: ({ session }) => yesOrNo(session?.ligand?.inModel),
  ligand_cc: ({ session }) => number(session?.ligand?.cc, 3),
  ligand_atoms: ({ session }) => session?.ligand?.atoms,
  atoms_in_density: ({ session }) => session?.ligand?.atomsInDensity,
  polder_cc_1_3: ({ session }) => number(session?.ligand?.omitCc, 3),
  submitted: ({ session }) => session?.createdAt,
  ended: ({ session }) => session?.endedAt,
  problems: ({ problems }) => problems?.map(({ field, reason }) => `${field}: ${reason}`).join('; '),
  url: ({ href }) => href,
};

/** The first line of a table of results. */
export const batchCsvHeader = (): string => csvLine(Object.keys(columns));

/** A line of a table of results. */
export const batchCsvLine = (result: BatchResult): string =>
  csvLine(Object.values(columns).map((cellOf) => cellOf(result)));
