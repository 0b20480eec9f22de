import { Box, Paper, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactElement, type ReactNode } from 'react';
import { Failure } from '../../parts/failure';

/** A part of the page that is independent of errors in the others. */
export const Section = <T,>({
  title,
  name,
  query,
  children,
}: {
  readonly title: string;
  readonly name: string;
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}): ReactElement => {
  const heading = useId();
  return (
    <Paper component="section" aria-labelledby={heading} data-testid={name}>
      <Stack gap={10}>
        <Box component="h2" m={0} id={heading}>
          {title}
        </Box>
        {query.data === undefined && query.error === null && <Skeleton height={80} />}
        {query.error !== null && <Failure error={query.error} onAgain={() => void query.refetch()} />}
        {query.data !== undefined && children(query.data)}
      </Stack>
    </Paper>
  );
};
