import { Box, type BoxProps } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import type { Tone } from '../theme/tones';
import css from './note.module.css';

/** A highlighted sentence with a coloured edge. */
export const Note = ({
  color = 'gray',
  component = 'p',
  children,
  ...shown
}: {
  readonly color?: Tone;
  readonly component?: 'p' | 'div' | 'li';
  readonly role?: 'alert' | 'status';
  readonly 'data-testid'?: string;
  readonly children: ReactNode;
} & BoxProps): ReactElement => (
  <Box
    component={component}
    className={css.note}
    __vars={{ '--edge': `var(--mantine-color-${color}-text)`, '--ground': `var(--mantine-color-${color}-light)` }}
    {...shown}
  >
    {children}
  </Box>
);
