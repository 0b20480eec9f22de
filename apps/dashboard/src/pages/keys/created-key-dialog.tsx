import { Alert, Box, Button, Group, Paper, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import type { NewApiKey } from '@fleet/contracts/access';
import { plainLine } from '@fleet/session-report';
import { CopyButton } from '../../parts/copy-button';
import { Dialog } from '../../parts/dialog';
import { keyTexts } from '../../texts/keys';

const words = keyTexts.secret;

const Secret = ({ name, text }: { readonly name: string; readonly text: string }): ReactElement => (
  <div>
    <Text component="span" c="dimmed" fz="xs" mr={6}>
      {name}
    </Text>
    <Paper p="xs" bg="var(--sunken)">
      <Group gap="xs" wrap="nowrap">
        <Box component="code" tabIndex={0} style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Box>
        <CopyButton text={text} label={words.copy(name)} />
      </Group>
    </Paper>
  </div>
);

/** A new key, shown until the administrator confirms the copy, because it is never shown again. */
export const CreatedKeyDialog = ({
  made: { key, record },
  onClose,
}: {
  readonly made: NewApiKey;
  readonly onClose: () => void;
}): ReactElement => (
  // Escape is too easily pressed here.
  <Dialog title={words.title(plainLine(record.owner))} onClose={() => undefined}>
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle />}>
      {words.once}
    </Alert>
    <Secret name={words.key} text={key} />
    {record.role === 'kiosk' && (
      <Secret name={words.link} text={`${new URL('wall', document.baseURI).href}#key=${key}`} />
    )}
    <Group justify="flex-end" gap="xs">
      <Button data-autofocus onClick={onClose}>
        {words.done}
      </Button>
    </Group>
  </Dialog>
);
