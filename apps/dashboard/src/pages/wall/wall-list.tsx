import type { ReactElement, ReactNode } from 'react';
import type { WallRow } from '@fleet/contracts/sessions';
import { useNow } from '../../parts/time';
import { wallTexts } from '../../texts/wall';
import { shownPart } from './wall-groups';
import css from './wall.module.css';

/** Milliseconds for which one part of a longer list is shown. */
const everyMs = 12_000;

/** A list that shows as many rows as fit, then the next ones. */
export const WallList = ({
  name,
  kind,
  rows,
  fits,
  none,
  children,
}: {
  readonly name: string;
  readonly kind: string;
  readonly rows: readonly WallRow[];
  readonly fits: number;
  /** Text without rows. */
  readonly none: string;
  readonly children: (row: WallRow) => ReactNode;
}): ReactElement => {
  const now = useNow();
  const part = shownPart(rows, { fits, everyMs, now });
  return (
    <section className={css.list} data-kind={kind} aria-labelledby={`wall-${kind}`} data-testid={`wall-${kind}`}>
      <h2 id={`wall-${kind}`}>
        {name}
        {rows.length > fits && (
          <span className="quiet number">
            {wallTexts.of(part.first, part.first + part.rows.length - 1, rows.length)}
          </span>
        )}
      </h2>
      {rows.length === 0 ? (
        <p className="quiet">{none}</p>
      ) : (
        <ul>
          {part.rows.map((row) => (
            <li key={row.id} className={css.row} data-testid="wall-row" data-session={row.id}>
              {children(row)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
