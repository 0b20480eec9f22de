import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';

/** Opens the card of a cycle, and scrolls to it. */
export const scrollToCycle = (cycle: number | undefined): void => {
  const card = document.getElementById(`cycle-${String(cycle)}`);
  if (card instanceof HTMLDetailsElement) card.open = true;
  card?.scrollIntoView({ block: 'start' });
};

/** A link to a cycle. It also scrolls if the URL already names the cycle. */
export const CycleLink = ({
  id,
  cycle,
  children,
}: {
  readonly id: string;
  readonly cycle: number;
  readonly children: ReactNode;
}): ReactElement => (
  <Link
    to="/sessions/$id"
    params={{ id }}
    search={{ cycle: String(cycle) }}
    resetScroll={false}
    onClick={() => scrollToCycle(cycle)}
  >
    {children}
  </Link>
);
