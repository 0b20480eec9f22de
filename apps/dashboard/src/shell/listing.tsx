import type { ReactElement, ReactNode } from 'react';

/** A table with one line of headings, which scrolls within its frame where it is wider or longer. */
export const Listing = ({
  columns,
  className,
  frame = 'table-frame',
  testId,
  children,
}: {
  readonly columns: readonly string[];
  readonly className?: string;
  readonly frame?: string;
  readonly testId?: string;
  /** Its rows. */
  readonly children: ReactNode;
}): ReactElement => (
  <div className={frame} tabIndex={0}>
    <table className={className} data-testid={testId}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
