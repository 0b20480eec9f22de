import type { ReactElement } from 'react';
import type { FileUse } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { texts } from '../texts';

/** The outcome of a submitted file: what it is used as, or a warning that it is not and why. */
export const FileUseLine = ({ use }: { readonly use: FileUse }): ReactElement => (
  <p className={use.used ? 'small' : 'finding finding-warning small'}>
    <b>{use.used ? texts.session.used : texts.session.notUsed}</b> {plainLine(use.text)}
    {use.notes?.map((note) => (
      <span key={note} className="quiet">
        <br />
        {plainLine(note)}
      </span>
    ))}
  </p>
);
