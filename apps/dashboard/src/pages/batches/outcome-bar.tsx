import type { ReactElement } from 'react';
import type { BatchView } from '@fleet/contracts/batches';
import { stateTexts } from '../../texts/states';
import type { RowKind } from '../../format/row-kinds';
import css from './batches.module.css';

/** Rows of a batch by outcome, from its counts. */
const countsOf = ({ states, sessions, outcomes }: BatchView): readonly (readonly [RowKind, number])[] =>
  (
    [
      ['solved', outcomes.solved],
      ['goal_reached', outcomes.goal_reached],
      ['unfinished', outcomes.unfinished],
      ['unsatisfactory', outcomes.unsatisfactory],
      ['unknown', outcomes.unknown],
      ['failed_science', outcomes.failed_science],
      ['failed_infrastructure', outcomes.failed_infrastructure],
      ['rejected', outcomes.rejected + states.rejected],
      ['running', sessions.running],
      ['cancelling', sessions.cancelling],
      ['checked', states.checked],
      ['to_come', states.waiting],
      ['duplicate', states.duplicate],
      ['cancelled', outcomes.cancelled + states.cancelled],
    ] as const
  ).filter(([, count]) => count > 0);

/** The rows as one bar, with their numbers as text. */
export const OutcomeBar = ({ batch }: { readonly batch: BatchView }): ReactElement => {
  const counts = countsOf(batch);
  const counted = counts.map(([kind, count]) => `${String(count)} ${stateTexts[kind].label}`).join(', ');
  let at = 0;
  return (
    <>
      <svg
        className={css.outcomes}
        viewBox={`0 0 ${String(Math.max(1, batch.rows))} 10`}
        preserveAspectRatio="none"
        role="img"
        aria-label={counted}
      >
        <title>{counted}</title>
        {counts.map(([kind, count]) => {
          const x = at;
          at += count;
          return <rect key={kind} style={{ fill: `var(--kind-${kind})` }} x={x} y={0} width={count} height={10} />;
        })}
      </svg>
      <span className="quiet small">{counted}</span>
    </>
  );
};
