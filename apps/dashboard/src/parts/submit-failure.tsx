import type { ReactElement } from 'react';
import { plainLines } from '@fleet/session-report';
import { Note } from './note';

/** The error of reading or sending; empty without one. */
export const SubmitFailure = ({ message }: { readonly message: string | undefined }): ReactElement | null =>
  message === undefined ? null : (
    <Note component="p" role="alert" color="red">
      {plainLines(message)}
    </Note>
  );
