import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { CycleRecord } from '@fleet/contracts/sessions';
import { useMe } from '../../parts/use-me';
import { forkTexts } from '../../texts/fork';

/** A link that forks after a cycle; empty for an unfinished cycle, and for users who may not submit. */
export const ForkLink = ({ id, cycle }: { readonly id: string; readonly cycle: CycleRecord }): ReactElement => {
  const me = useMe();
  const maySubmit = me.data?.scopes.includes('submit') === true;
  if (!maySubmit || cycle.result === undefined) return <></>;
  return (
    <p>
      <Link to="/fork" search={{ from: id, cycle: String(cycle.cycle) }} title={forkTexts.openHint}>
        {forkTexts.open}
      </Link>
    </p>
  );
};
