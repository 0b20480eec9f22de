import type { CycleRecord, StoredEvent } from '@fleet/contracts/sessions';

type Severity = 'error' | 'warning' | 'info';

/** A problem or notice of a cycle. */
export interface Finding {
  readonly severity: Severity;
  readonly text: string;
}

const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** The findings in a cycle's record and its events, the worst first, each sentence once. */
export const findingsOf = (
  { cycle, attempts, result }: Pick<CycleRecord, 'cycle' | 'attempts' | 'result'>,
  events: readonly Pick<StoredEvent, 'cycle' | 'type' | 'message'>[],
): readonly Finding[] => {
  const ofEvents = events.flatMap(({ cycle: of, type, message }): readonly Finding[] =>
    of === cycle && (type === 'error' || type === 'warning') ? [{ severity: type, text: message }] : [],
  );
  const ofAttempts = attempts.flatMap(({ ending }): readonly Finding[] =>
    ending === undefined || (ending.kind === 'exited' && ending.exitCode === 0)
      ? []
      : [{ severity: ending.infrastructure ? 'warning' : 'error', text: ending.message }],
  );
  const ofResult = [
    ...(result?.outcome === 'failed' ? [{ severity: 'error', text: result.summary } as const] : []),
    ...(result?.errorLines ?? []).map((text) => ({ severity: 'error', text }) as const),
    ...(result?.leftOut ?? []).map((text) => ({ severity: 'info', text }) as const),
  ];
  const all = new Map([...ofResult, ...ofAttempts, ...ofEvents].map((finding) => [finding.text, finding]));
  return severities.flatMap((severity) => [...all.values()].filter((finding) => finding.severity === severity));
};
