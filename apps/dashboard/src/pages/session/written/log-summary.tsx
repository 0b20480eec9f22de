import type { ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { askLogSummary, fetchLogSummary } from '../../../api/story-calls';
import { logSummaryTexts } from '../../../texts/written';
import { WrittenText } from './written-text';

interface Summed {
  readonly session: Pick<SessionView, 'id' | 'request'>;
  /** A finished one. */
  readonly cycle: number;
}

/** The summary of a cycle's log, in three parts. */
export const LogSummary = ({ session: { id, request }, cycle }: Summed): ReactElement => (
  <WrittenText
    name="log-summary"
    words={logSummaryTexts}
    source={{
      queryKey: ['session', id, 'log-summary', cycle],
      look: (signal) => fetchLogSummary(id, cycle, signal),
      ask: () => askLogSummary(id, cycle),
      // The log of a finished cycle does not change.
      isCurrent: () => true,
      rulesOnly: request.settings.use_rules_only,
    }}
  />
);
