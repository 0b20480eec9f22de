import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { sessionTexts } from '../texts/session';

export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }): ReactElement => {
  const { copy, copied } = useClipboard({ timeout: 1500 });
  const shown = copied ? sessionTexts.copied : label;
  return (
    <Tooltip label={shown}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={shown} onClick={() => copy(text)}>
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  );
};
