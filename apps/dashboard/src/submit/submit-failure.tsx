import type { ReactElement } from 'react';
import { plainLines } from '@fleet/session-report';

/** Why it could not be read or sent; nothing where nothing failed. */
export const SubmitFailure = ({ message }: { readonly message: string | undefined }): ReactElement | null =>
  message === undefined ? null : (
    <p role="alert" className="finding finding-error">
      {plainLines(message)}
    </p>
  );
