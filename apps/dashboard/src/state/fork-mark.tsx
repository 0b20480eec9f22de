import { IconGitFork } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { SessionRow } from '@fleet/contracts/sessions';
import { forkTexts } from '../texts/fork';
import css from './state.module.css';

/** The origin of a fork, session and cycle, as a link to that cycle. */
export const ForkMark = ({
  of: { session, afterCycle },
}: {
  readonly of: NonNullable<SessionRow['forkedFrom']>;
}): ReactElement => (
  <Link
    to="/sessions/$id"
    params={{ id: session }}
    search={{ cycle: String(afterCycle) }}
    className={css.fork}
    title={forkTexts.mark(session, afterCycle)}
    aria-label={forkTexts.mark(session, afterCycle)}
  >
    <IconGitFork size={14} aria-hidden="true" />
    {forkTexts.short(afterCycle)}
  </Link>
);
