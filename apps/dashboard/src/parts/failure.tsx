import { Alert, Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
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
