import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconPin, IconPinnedOff } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import type { SessionRetention } from '@fleet/contracts/retention';
import { plainLine, retentionSentences } from '@fleet/session-report';
import { useMe } from '../../parts/use-me';
import { fetchRetention, pinSession, unpinSession } from '../../api/story-calls';
import { Dialog } from '../../parts/dialog';
import { retentionTexts } from '../../texts/retention';

/** A change of a session's retention; the page then shows its response. */
const useChange = <Change,>(id: string, change: (given: Change) => Promise<SessionRetention>) => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (after) => {
      queries.setQueryData(['retention', id], after);
    },
  });
};

const Ask = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactElement => {
  const [reason, setReason] = useState('');
  const pinning = useChange(id, (reason: string) => pinSession(id, reason));
  return (
    <Dialog title={retentionTexts.ask} onClose={onClose}>
      <p>{retentionTexts.what}</p>
      <TextInput
        label={retentionTexts.reason}
        description={retentionTexts.reasonHint}
        value={reason}
        maxLength={500}
        data-autofocus
        onChange={(event) => {
          setReason(event.currentTarget.value);
        }}
      />
      <Text role="alert" c="red">
        {pinning.error?.message}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button
          disabled={reason.trim() === ''}
          loading={pinning.isPending}
          onClick={() => {
            pinning.mutate(reason.trim(), { onSuccess: onClose });
          }}
        >
          {retentionTexts.pin}
        </Button>
        <Button variant="default" onClick={onClose}>
          {retentionTexts.cancel}
        </Button>
      </Group>
    </Dialog>
  );
};

const Pinning = ({ id, isPinned }: { readonly id: string; readonly isPinned: boolean }): ReactElement => {
  const [isAsking, setAsking] = useState(false);
  const unpinning = useChange(id, () => unpinSession(id));
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={isPinned ? <IconPinnedOff size={14} /> : <IconPin size={14} />}
        loading={unpinning.isPending}
        onClick={() => {
          if (isPinned) unpinning.mutate(undefined);
          else setAsking(true);
        }}
      >
        {isPinned ? retentionTexts.unpin : retentionTexts.pin}
      </Button>
      {unpinning.error !== null && (
        <Text component="span" role="alert" c="red">
          {unpinning.error.message}
        </Text>
      )}
      {isAsking && (
        <Ask
          id={id}
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </>
  );
};

/** The retention of an ended session, and its actions; empty if no rule applies. */
export const RetentionPanel = ({ id }: { readonly id: string }): ReactElement => {
  const me = useMe();
  const { data } = useQuery({ queryKey: ['retention', id], queryFn: ({ signal }) => fetchRetention(id, signal) });
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
      {mayPin && <Pinning id={id} isPinned={data.pin !== undefined} />}
    </Group>
  );
};
