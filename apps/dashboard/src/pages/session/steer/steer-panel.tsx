import { Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowsSort, IconMessage2, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { SessionView } from '@fleet/contracts/sessions';
import { retrySession } from '../../../api/calls';
import { AskButton } from '../../../parts/asking';
import { useMe } from '../../../parts/use-me';
import { BulkDialog } from '../../sessions/bulk-dialog';
import { steerTexts } from '../../../texts/steer';
import { AdviceForm } from './advice-form';
import { useAdvice } from './use-advice';

const ResumeButton = ({ id }: { readonly id: string }): ReactElement => {
  const queries = useQueryClient();
  const going = useMutation({
    mutationFn: () => retrySession(id),
    onSuccess: (after) => {
      queries.setQueryData(['session', id], after);
    },
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        title={steerTexts.resumeHint}
        leftSection={<IconPlayerPlay size={14} />}
        loading={going.isPending}
        onClick={() => going.mutate()}
      >
        {steerTexts.resume}
      </Button>
      {going.error !== null && (
        <Text component="span" role="alert" c="red">
          {going.error.message}
        </Text>
      )}
    </>
  );
};

const icons = { cancel: <IconPlayerStop size={14} />, priority: <IconArrowsSort size={14} /> } as const;

/** The confirmation stays open while its session is being cancelled. */
const Asking = ({
  action,
  session: { id, request },
  isOffered,
}: {
  readonly action: 'cancel' | 'priority';
  readonly session: SessionView;
  readonly isOffered: boolean;
}): ReactElement => (
  <AskButton
    label={steerTexts[action]}
    icon={icons[action]}
    isOffered={isOffered}
    dialog={(onClose) => <BulkDialog action={action} rows={[{ id, title: request.title }]} onClose={onClose} />}
  />
);

/** The available actions of a session. */
const Steering = ({
  session,
  maySubmit,
}: {
  readonly session: SessionView;
  readonly maySubmit: boolean;
}): ReactElement => {
  const work = useAdvice(session);
  const { moment, draft, sent } = work;
  return (
    <Stack gap={6} role="group" aria-label={steerTexts.label} data-testid="steer">
      {!draft.isOpen && (
        <Group gap="xs">
          {moment !== 'cancelling' && (
            <Button size="xs" variant="default" leftSection={<IconMessage2 size={14} />} onClick={work.open}>
              {moment === 'ended' ? steerTexts.adviseEnded : steerTexts.advise}
            </Button>
          )}
          {moment === 'ended' && <ResumeButton id={session.id} />}
          {maySubmit && (
            <Link to="/submit" search={{ from: session.id }}>
              {steerTexts.again}
            </Link>
          )}
          <Asking action="priority" session={session} isOffered={moment === 'running'} />
          <Asking action="cancel" session={session} isOffered={moment === 'running'} />
        </Group>
      )}
      {draft.isOpen && <AdviceForm session={session} work={work} />}
      <p aria-live="polite" className="quiet">
        {sent}
      </p>
    </Stack>
  );
};

/** Steers a session; empty for users who may only read. */
export const SteerPanel = ({ session }: { readonly session: SessionView }): ReactElement => {
  const me = useMe();
  const mayChange = me.data?.scopes.includes('change') === true;
  const maySubmit = me.data?.scopes.includes('submit') === true;
  return mayChange ? <Steering key={session.id} session={session} maySubmit={maySubmit} /> : <></>;
};
