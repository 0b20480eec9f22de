import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { guidanceOf, type SessionView } from '@fleet/contracts/sessions';
import { plainLines } from '@fleet/session-report';
import { AdviceField } from '../../../advice/advice-field';
import { steerTexts } from '../../../texts/steer';
import { adviceNow } from '../../../advice/advice-draft';
import type { AdviceWork } from './use-advice';
import { Note } from '../../../parts/note';

/** The advice of another user meanwhile. */
const Theirs = ({ session }: { readonly session: SessionView }): ReactElement => (
  <Note role="alert" color="yellow">
    <p>{steerTexts.changed(guidanceOf(session).revision)}</p>
    <p>
      <Text component="span" c="dimmed" fz="xs" mr={6}>
        {steerTexts.theirs}
      </Text>{' '}
      <q>{plainLines(adviceNow(session)) || steerTexts.none}</q>
    </p>
  </Note>
);

/** The form for a session's advice, with its reading. */
export const AdviceForm = ({
  session,
  work,
}: {
  readonly session: SessionView;
  readonly work: AdviceWork;
}): ReactElement => {
  const { moment, draft, isOvertaken } = work;
  const label = steerTexts.send[moment === 'ended' ? 'ended' : 'running'];
  return (
    <Stack component="section" gap={10} aria-label={steerTexts.title}>
      {isOvertaken && <Theirs session={session} />}
      <AdviceField advice={draft.advice} onChange={work.change} />
      <p className="quiet">{steerTexts.counts[moment]}</p>
      {work.failure !== undefined && (
        <Text role="alert" c="red">
          {work.failure}
        </Text>
      )}
      <Group gap="xs">
        <Button size="xs" disabled={!work.maySend} loading={work.isSending} onClick={work.send}>
          {isOvertaken ? steerTexts.instead : label}
        </Button>
        <Button size="xs" variant="default" disabled={work.isSending} onClick={work.close}>
          {isOvertaken ? steerTexts.discard : steerTexts.leave}
        </Button>
      </Group>
    </Stack>
  );
};
