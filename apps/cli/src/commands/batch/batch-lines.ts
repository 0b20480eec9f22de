import type { BatchResultPage, BatchRow, BatchView } from '@fleet/contracts/batches';
import { isEnded, sessionStatuses, type SessionOutcome, type SessionRow } from '@fleet/contracts/sessions';
import { durationText, fileUseText, plainLine } from '@fleet/session-report';
import { listedProblems } from '../../client/gateway-client';
import { exitCodeOf, exitCodes, type ExitCode } from '../../exit-codes';
import { tableLines } from '../../output/table';

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${String(count)}`)
    .join(', ');

/** Running sessions, by status. */
const inProgress = ({ sessions }: BatchView): Readonly<Record<string, number>> =>
  Object.fromEntries(sessionStatuses.filter((status) => !isEnded(status)).map((status) => [status, sessions[status]]));

const priorityCells = ({ priority, defaults }: BatchView): readonly (readonly [string, string])[] => {
  if (priority !== undefined) return [['priority', `${priority}, for rows that have not started`]];
  return defaults?.priority === undefined ? [] : [['priority', defaults.priority]];
};

/** Lines that show a batch. */
export const batchLines = (batch: BatchView): readonly string[] =>
  tableLines([
    ['batch', batch.id],
    ...(batch.title === '' ? [] : [['title', batch.title] as const]),
    ['proposal', batch.proposal],
    ['state', batch.state],
    ...priorityCells(batch),
    ['rows', `${String(batch.rows)}${batch.rows === 0 ? '' : `: ${countsText(batch.states)}`}`],
    ['sessions', countsText({ ...inProgress(batch), ...batch.outcomes }) || 'none'],
    ['submitted', `${batch.createdAt.slice(0, 19)}${batch.submitter === '' ? '' : ` by ${batch.submitter}`}`],
  ]);

/** The progress of a batch on one line. */
export const progressLine = ({ state }: BatchView): string => plainLine(state);

/** Rejected rows, each with its line in the manifest and all its problems. */
export const rejectedLines = (rows: readonly BatchRow[]): readonly string[] =>
  rows.flatMap(({ row, line, problems = [] }) => [
    `row ${String(row)} (line ${String(line)}):`,
    ...listedProblems(problems).map((line) => plainLine(`  ${line}`)),
  ]);

const firstText = ({ first }: BatchRow): string => {
  const nodes = first?.class === undefined ? '' : ` (${first.class})`;
  return first?.stop ?? (first?.command === undefined ? '' : `${first.command}${nodes}`);
};

/** When a row of a dry run would start. */
const waitText = ({ wait }: BatchRow): string => {
  if (wait === undefined) return '';
  const { seconds, reason = '' } = wait;
  if (seconds === undefined) return `would wait: ${reason}`;
  if (seconds === 0) return 'would start at once';
  return `would start in about ${durationText(seconds * 1000)}`;
};

const earlierText = ({ earlier }: BatchRow): string => {
  if (earlier === undefined) return '';
  return `${earlier.same === 'everything' ? 'duplicate of' : 'same data as'} ${earlier.session}`;
};

const problemText = (problems: NonNullable<BatchRow['problems']>): string =>
  problems.map(({ field, reason }) => `${field}: ${reason}`).join('; ');

/** Notes about a row: its problems, similar sessions, unused files, the first step. */
const noteOf = (row: BatchRow): string => {
  const { problems = [], unused = [] } = row;
  if (problems.length > 0) return problemText(problems);
  return [earlierText(row), ...unused.map(fileUseText), firstText(row), waitText(row)]
    .filter((text) => text !== '')
    .join('; ');
};

const rowCells = (row: BatchRow): readonly string[] => [
  String(row.row),
  String(row.line),
  row.state,
  row.session ?? '',
  noteOf(row),
];

/** Lines of rows in any state. */
export const rowLines = (rows: readonly BatchRow[]): readonly string[] =>
  tableLines([['ROW', 'LINE', 'STATE', 'SESSION', 'NOTE'], ...rows.map(rowCells)]);

const fitCells = (session: SessionRow | undefined): readonly string[] => {
  const fit = session?.fit;
  return [
    ...(fit === undefined ? ['', ''] : [`${fit.metric} ${fit.value.toFixed(3)}`, fit.rWork?.toFixed(3) ?? '']),
    (fit?.resolution ?? session?.resolution)?.toFixed(2) ?? '',
  ];
};

/** `LIG 0.86, 38 of 40 atoms, omit 0.91`: the correlation of the fit, atoms in density, CC(1,3) of the omit map. */
const ligandCell = (session: SessionRow | undefined): string => {
  const ligand = session?.ligand;
  if (ligand === undefined) return '';
  const { code, cc, atoms, atomsInDensity, omitCc, inModel } = ligand;
  const name = [code, cc?.toFixed(2)].filter((part) => part !== undefined).join(' ');
  const inDensity =
    atomsInDensity === undefined ? undefined : `${String(atomsInDensity)} of ${String(atoms ?? '?')} atoms`;
  const omit = omitCc === undefined ? undefined : `omit ${omitCc.toFixed(2)}`;
  const left = inModel ? undefined : 'not in the model';
  return [name, inDensity, omit, left].filter((part) => part !== undefined && part !== '').join(', ');
};

/** Lines of row results. */
export const resultLines = ({ results }: BatchResultPage): readonly string[] =>
  tableLines([
    ['ROW', 'OUTCOME', 'FIT', 'R-WORK', 'RESOLUTION', 'LIGAND', 'SESSION', 'TITLE OR PROBLEM'],
    ...results.map(({ row, state, session, problems = [] }) => [
      String(row),
      session?.outcome ?? session?.status ?? state,
      ...fitCells(session),
      ligandCell(session),
      session?.id ?? '',
      session?.title ?? problemText(problems),
    ]),
  ]);

/** From the worst to the best. */
const worst: readonly SessionOutcome[] = [
  'failed_infrastructure',
  'failed_science',
  'unsatisfactory',
  'rejected',
  'cancelled',
];

/** The exit code of a batch: that of the worst outcome of its rows. */
export const exitCodeOfBatch = ({ status, states, sessions, outcomes }: BatchView): ExitCode => {
  const outcome = worst.find((one) => outcomes[one] > 0);
  if (outcome !== undefined) return exitCodeOf[outcome];
  const refused = states.rejected + states.cancelled + sessions.cancelling;
  return refused > 0 || status === 'cancelled' ? exitCodes.refused : exitCodes.ok;
};
