import { Alert, Button, Skeleton } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { isFailure } from '../api/calls';
import { failureTexts } from '../texts/shell';

/** An error in the API's words, with a retry button. */
export const Failure = ({ error, onAgain }: { readonly error: Error; readonly onAgain: () => void }): ReactElement => (
  <Alert color="red" variant="light" icon={<IconPlugConnectedX />} title={failureTexts.title} role="alert">
    <p>{isFailure(error, 0) ? failureTexts.unreachable : error.message}</p>
    <Button size="xs" variant="default" onClick={onAgain}>
      {failureTexts.again}
    </Button>
  </Alert>
);

/** A skeleton until the data of a query arrive, or its error. */
export const Pending = ({
  query: { error, refetch },
  height,
}: {
  readonly query: Pick<UseQueryResult, 'error' | 'refetch'>;
  readonly height: number;
}): ReactElement =>
  error === null ? <Skeleton height={height} /> : <Failure error={error} onAgain={() => void refetch()} />;
