import { Paper, Table } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import css from './listing.module.css';

/** A frame that scrolls its table if that is wider or longer. */
export const TableFrame = ({
  height,
  children,
}: {
  /** Maximum height before it scrolls. */
  readonly height?: '40vh' | undefined;
  readonly children: ReactNode;
}): ReactElement => (
  <Paper p={0} mah={height} className={css.frame} tabIndex={0} data-testid="table-frame">
    {children}
  </Paper>
);

/** A table with one line of headings. */
export const Listing = ({
  columns,
  isStacked = false,
  isDense = false,
  isNumeric = false,
  height,
  testId,
  children,
}: {
  readonly columns: readonly string[];
  /** On a phone each row is a small panel, and each cell shows its heading (`data-label`). */
  readonly isStacked?: boolean;
  readonly isDense?: boolean;
  /** All but the first column are numbers. */
  readonly isNumeric?: boolean;
  readonly height?: '40vh';
  readonly testId?: string;
  /** Its rows. */
  readonly children: ReactNode;
}): ReactElement => (
  <TableFrame height={height}>
    <Table
      data-testid={testId}
      className={isStacked ? css.stacked : undefined}
      data-numeric={isNumeric}
      {...(isDense && { verticalSpacing: 3, horizontalSpacing: 8 })}
    >
      <Table.Thead>
        <Table.Tr>
          {columns.map((name) => (
            <Table.Th key={name} scope="col">
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </TableFrame>
);
