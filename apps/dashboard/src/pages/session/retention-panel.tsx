import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconPin, IconPinnedOff } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { plainLine, retentionSentences } from '@fleet/session-report';
import { useMe } from '../../parts/use-me';
import { api } from '../../api/calls';
import { AskButton, Asking } from '../../parts/asking';
import { retentionTexts } from '../../texts/retention';

const PinDialog = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactElement => {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  return (
    <Asking
      words={{ ...retentionTexts, button: retentionTexts.pin }}
      work={async () => {
        const body = { reason: reason.trim() };
        const after = await api.json('POST /v1/sessions/{id}/pin', { path: { id }, body });
        queries.setQueryData(['retention', id], after);
      }}
      isIncomplete={reason.trim() === ''}
      leave={retentionTexts.cancel}
      onClose={onClose}
    >
      <TextInput
        label={retentionTexts.reason}
        description={retentionTexts.reasonHint}
        value={reason}
        maxLength={500}
        data-autofocus
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Asking>
  );
};

const UnpinButton = ({ id }: { readonly id: string }): ReactElement => {
  const queries = useQueryClient();
  const unpinning = useMutation({
    mutationFn: () => api.json('POST /v1/sessions/{id}/unpin', { path: { id } }),
    onSuccess: (after) => {
      queries.setQueryData(['retention', id], after);
    },
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPinnedOff size={14} />}
        loading={unpinning.isPending}
        onClick={() => unpinning.mutate()}
      >
        {retentionTexts.unpin}
      </Button>
      {unpinning.error !== null && (
        <Text component="span" role="alert" c="red">
          {unpinning.error.message}
        </Text>
      )}
    </>
  );
};

/** The retention of an ended session, and its actions; empty if no rule applies. */
export const RetentionPanel = ({ id }: { readonly id: string }): ReactElement => {
  const me = useMe();
  const { data } = useQuery({
    queryKey: ['retention', id],
    queryFn: ({ signal }) => api.json('GET /v1/sessions/{id}/retention', { path: { id } }, { signal }),
  });
  const sentences = data === undefined ? [] : retentionSentences(data);
  if (data === undefined || sentences.length === 0) return <></>;
  const mayPin = me.data?.scopes.includes('change') === true && data.purged === undefined;
  return (
    <Group gap="sm" data-testid="kept">
      <span>
        <Text component="span" c="dimmed" fz="xs" mr={6}>
          {retentionTexts.label}
        </Text>{' '}
        {plainLine(sentences.join(' '))}
      </span>
      {mayPin &&
        (data.pin === undefined ? (
          <AskButton
            label={retentionTexts.pin}
            icon={<IconPin size={14} />}
            dialog={(onClose) => <PinDialog id={id} onClose={onClose} />}
          />
        ) : (
          <UnpinButton id={id} />
        ))}
    </Group>
  );
};
