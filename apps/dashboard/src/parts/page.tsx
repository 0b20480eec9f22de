import { Stack } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import css from './page.module.css';

/** The content of a page below the bar. */
export const Page = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <Stack gap={14} className={css.page}>
    {children}
  </Stack>
);
