import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { FileUse } from '@fleet/contracts/sessions';
import { plainLine } from '@fleet/session-report';
import { sessionTexts } from '../texts/session';
import { Note } from '../parts/note';

/** The use of a submitted file, or a warning that it is unused and why. */
export const FileUseLine = ({ use }: { readonly use: FileUse }): ReactElement => {
  const useText = (
    <>
      <b>{use.used ? sessionTexts.used : sessionTexts.notUsed}</b> {plainLine(use.text)}
      {use.notes?.map((note) => (
        <span key={note} className="quiet">
          <br />
          {plainLine(note)}
        </span>
      ))}
    </>
  );
  return use.used ? (
    <Text fz="xs">{useText}</Text>
  ) : (
    <Note color="yellow" fz="xs">
      {useText}
    </Note>
  );
};
