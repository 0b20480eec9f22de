import type { BatchRow, BatchView } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { exitCodes, type ExitCode } from '../../exit-codes';
import { tableLines } from '../../output/table';

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${String(count)}`)
    .join(', ');

/** How a batch is shown. */
export const batchLines = (batch: BatchView): readonly string[] =>
  tableLines([
    ['batch', batch.id],
    ...(batch.title === '' ? [] : [['title', batch.title] as const]),
    ['proposal', batch.proposal],
    ['state', batch.state],
    ['rows', `${String(batch.rows)}${batch.rows === 0 ? '' : `: ${countsText(batch.verdicts)}`}`],
    ['sessions', countsText(batch.sessions) || 'none'],
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

/** What came of a batch, for the shell: the worst that came of any of its rows. */
export const exitCodeOfBatch = ({ status, verdicts, sessions }: BatchView): ExitCode => {
  if (sessions.failed > 0) return exitCodes.scienceFailed;
  if (sessions.unsatisfactory > 0) return exitCodes.unsatisfactory;
  const refused = verdicts.rejected + verdicts.cancelled + sessions.cancelled + sessions.cancelling;
  return refused > 0 || status === 'cancelled' ? exitCodes.refused : exitCodes.ok;
};
