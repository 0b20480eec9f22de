import { Box, type BoxProps } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import css from './columns.module.css';

/** Side-by-side content: in columns of given widths, stacked in a narrow window, or as many as fit. */
export const Columns = ({
  of,
  least = 0,
  component = 'div',
  children,
  ...shown
}: {
  /** Relative widths, such as `2fr 1fr`. */
  readonly of?: '1fr 1fr' | '2fr 1fr' | '2fr 3fr' | '4fr 1fr';
  /** Minimum width in pixels, if their number is open. */
  readonly least?: number;
  readonly component?: 'div' | 'ul' | 'dl';
  readonly 'data-testid'?: string;
  readonly children: ReactNode;
} & BoxProps): ReactElement => (
  <Box
    component={component}
    className={css.columns}
    data-of={of}
    __vars={{ '--least': `${String(least)}px` }}
    {...shown}
  >
    {children}
  </Box>
);
