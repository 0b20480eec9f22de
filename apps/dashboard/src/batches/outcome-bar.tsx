import type { ReactElement } from 'react';
import type { BatchView } from '@fleet/contracts';
import { stateTexts } from '../texts';
import type { RowKind } from './row-kinds';

/** Rows of a batch by outcome, as far as its counts tell. */
const countsOf = ({ verdicts, sessions, outcomes }: BatchView): readonly (readonly [RowKind, number])[] =>
  (
    [
      ['solved', outcomes.solved],
      ['goal_reached', outcomes.goal_reached],
      ['unfinished', outcomes.unfinished],
      ['unsatisfactory', outcomes.unsatisfactory],
      ['unknown', outcomes.unknown],
      ['failed_science', outcomes.failed_science],
      ['failed_infrastructure', outcomes.failed_infrastructure],
      ['rejected', outcomes.rejected + verdicts.rejected],
      ['running', sessions.running],
      ['cancelling', sessions.cancelling],
      ['checked', verdicts.checked],
      ['to_come', verdicts.waiting],
      ['duplicate', verdicts.duplicate],
      ['cancelled', outcomes.cancelled + verdicts.cancelled],
    ] as const
  ).filter(([, count]) => count > 0);

/** Its rows as one bar; the numbers are said, too. */
export const OutcomeBar = ({ batch }: { readonly batch: BatchView }): ReactElement => {
  const counts = countsOf(batch);
  const told = counts.map(([kind, count]) => `${String(count)} ${stateTexts[kind].label}`).join(', ');
  let at = 0;
  return (
    <>
      <svg
        className="outcome-bar"
        viewBox={`0 0 ${String(Math.max(1, batch.rows))} 10`}
        preserveAspectRatio="none"
        role="img"
        aria-label={told}
      >
        <title>{told}</title>
        {counts.map(([kind, count]) => {
          const x = at;
          at += count;
          return <rect key={kind} className={`fill-${kind}`} x={x} y={0} width={count} height={10} />;
        })}
      </svg>
      <span className="quiet small">{told}</span>
    </>
  );
};
