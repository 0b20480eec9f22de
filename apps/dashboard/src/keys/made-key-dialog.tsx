import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { NewApiKey } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { CopyButton } from '../shell/copy-button';
import { Dialog } from '../shell/dialog';
import { keyTexts } from '../texts-keys';

const words = keyTexts.secret;

const Secret = ({ name, text }: { readonly name: string; readonly text: string }): ReactElement => (
  <div>
    <span className="label">{name}</span>
    <div className="key-secret">
      <code tabIndex={0}>{text}</code>
      <CopyButton text={text} label={words.copy(name)} />
    </div>
  </div>
);

/** A key that was made just now: shown until somebody says that they have it, because nobody can be told it again. */
export const MadeKeyDialog = ({
  made: { key, record },
  onClose,
}: {
  readonly made: NewApiKey;
  readonly onClose: () => void;
}): ReactElement => (
  // Escape is pressed too easily here.
  <Dialog title={words.title(plainLine(record.owner))} onClose={() => undefined}>
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle />}>
      {words.once}
    </Alert>
    <Secret name={words.key} text={key} />
    {record.role === 'kiosk' && (
      <Secret name={words.link} text={`${new URL('wall', document.baseURI).href}#key=${key}`} />
    )}
    <div className="dialog-ends">
      <Button data-autofocus onClick={onClose}>
        {words.done}
      </Button>
    </div>
  </Dialog>
);
