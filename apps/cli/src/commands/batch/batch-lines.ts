import { isEnded, sessionStatuses, type BatchRow, type BatchView, type SessionOutcome } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { exitCodeOf, exitCodes, type ExitCode } from '../../exit-codes';
import { tableLines } from '../../output/table';

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${String(count)}`)
    .join(', ');

/** Sessions that have not ended, by status. */
const underWay = ({ sessions }: BatchView): Readonly<Record<string, number>> =>
  Object.fromEntries(sessionStatuses.filter((status) => !isEnded(status)).map((status) => [status, sessions[status]]));

const priorityCells = ({ priority, defaults }: BatchView): readonly (readonly [string, string])[] => {
  if (priority !== undefined) return [['priority', `${priority}, for rows that are not sessions yet`]];
  return defaults?.priority === undefined ? [] : [['priority', defaults.priority]];
};

/** How a batch is shown. */
export const batchLines = (batch: BatchView): readonly string[] =>
  tableLines([
    ['batch', batch.id],
    ...(batch.title === '' ? [] : [['title', batch.title] as const]),
    ['proposal', batch.proposal],
    ['state', batch.state],
    ...priorityCells(batch),
    ['rows', `${String(batch.rows)}${batch.rows === 0 ? '' : `: ${countsText(batch.verdicts)}`}`],
    ['sessions', countsText({ ...underWay(batch), ...batch.outcomes }) || 'none'],
    ['submitted', `${batch.createdAt.slice(0, 19)}${batch.submitter === '' ? '' : ` by ${batch.submitter}`}`],
  ]);

/** A batch on one line, as it goes on. */
export const progressLine = ({ state }: BatchView): string => plainLine(state);

/** Rows that are wrong, each with its line in the manifest and all that is wrong with it. */
export const rejectedLines = (rows: readonly BatchRow[]): readonly string[] =>
  rows.flatMap(({ row, line, problems = [] }) => [
    `row ${String(row)} (line ${String(line)}):`,
    ...problems.flatMap(({ field, reason, allowed }) => [
      plainLine(`  ${field}: ${reason}`),
      ...(allowed === undefined ? [] : [plainLine(`    allowed: ${allowed}`)]),
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

/** What came of a batch, for the shell: the worst that came of any of its rows. */
export const exitCodeOfBatch = ({ status, verdicts, sessions, outcomes }: BatchView): ExitCode => {
  const outcome = worst.find((one) => outcomes[one] > 0);
  if (outcome !== undefined) return exitCodeOf[outcome];
  const refused = verdicts.rejected + verdicts.cancelled + sessions.cancelling;
  return refused > 0 || status === 'cancelled' ? exitCodes.refused : exitCodes.ok;
};
