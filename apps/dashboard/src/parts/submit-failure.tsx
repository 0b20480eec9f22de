import type { ReactElement } from 'react';
import { plainLines } from '@fleet/session-report';
import { Note } from './note';

/** Why it could not be read or sent; nothing where nothing failed. */
export const SubmitFailure = ({ message }: { readonly message: string | undefined }): ReactElement | null =>
  message === undefined ? null : (
    <Note component="p" role="alert" color="red">
      {plainLines(message)}
    </Note>
  );
