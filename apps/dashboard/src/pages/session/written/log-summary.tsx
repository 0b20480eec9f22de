import type { ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { api } from '../../../api/calls';
import { logSummaryTexts } from '../../../texts/written';
import { WrittenText } from './written-text';

interface Summed {
  readonly session: Pick<SessionView, 'id' | 'request'>;
  /** A finished one. */
  readonly cycle: number;
}

/** The summary of a cycle's log, in three parts. */
export const LogSummary = ({ session: { id, request }, cycle }: Summed): ReactElement => {
  const path = { id, cycle: String(cycle) };
  return (
    <WrittenText
      name="log-summary"
      words={logSummaryTexts}
      source={{
        queryKey: ['session', id, 'log-summary', cycle],
        look: (signal) => api.json('GET /v1/sessions/{id}/cycles/{cycle}/log-summary', { path }, { signal }),
        ask: () => api.json('POST /v1/sessions/{id}/cycles/{cycle}/log-summary', { path }),
        // The log of a finished cycle does not change.
        isCurrent: () => true,
        rulesOnly: request.settings.use_rules_only,
      }}
    />
  );
};
