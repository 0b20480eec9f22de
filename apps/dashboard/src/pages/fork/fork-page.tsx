import { Button, Paper, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import type { SettingDefinition } from '@fleet/contracts/service';
import type { SessionView } from '@fleet/contracts/sessions';
import { plainLine } from '@fleet/session-report';
import { fetchSession, fetchSettings, forkSession } from '../../api/calls';
import { Pending } from '../../parts/failure';
import { useTitle } from '../../parts/use-title';
import { AdviceField } from '../../advice/advice-field';
import { LigandFields } from '../submit/ligand-fields';
import { RepeatKeys } from '../submit/repeat-key';
import { SettingsFields } from '../submit/settings-fields';
import { SubmitFailure } from '../../parts/submit-failure';
import { useDraft } from '../../parts/use-draft';
import { forkTexts } from '../../texts/fork';
import { submitTexts } from '../../texts/submit';
import { forkDraftOf, forkRequestOf, type ForkDraft } from './fork-draft';
import { Page } from '../../parts/page';

interface Forked {
  readonly session: SessionView;
  readonly cycle: number;
  readonly definitions: Readonly<Record<string, SettingDefinition>>;
}

const ForkForm = ({ session, cycle, definitions }: Forked): ReactElement => {
  const navigate = useNavigate();
  const [draft, change, clear] = useDraft<ForkDraft>(
    `fork.${session.id}.${String(cycle)}`,
    forkDraftOf(session, definitions),
  );
  const [keys] = useState(() => new RepeatKeys());
  const sending = useMutation({
    mutationFn: () => {
      const request = forkRequestOf(draft, session, cycle, definitions);
      return forkSession(session.id, request, keys.of(request));
    },
    onSuccess: async ({ id }) => {
      clear();
      await navigate({ to: '/sessions/$id', params: { id }, search: {} });
    },
  });
  return (
    <Stack gap={14}>
      <Paper component="section">
        <TextInput
          label={submitTexts.fields.title}
          maxLength={200}
          value={draft.title}
          onChange={({ currentTarget }) => change({ title: currentTarget.value })}
        />
      </Paper>
      <Paper component="section">
        <AdviceField advice={draft.advice} onChange={(changed) => change({ advice: changed })} />
      </Paper>
      <LigandFields draft={draft} change={change} />
      <SettingsFields
        definitions={definitions}
        settings={draft.settings}
        onChange={(changed) => change({ settings: changed })}
      />
      <p className="quiet">{forkTexts.counts}</p>
      <SubmitFailure message={sending.error?.message} />
      <Button w="fit-content" loading={sending.isPending} onClick={() => sending.mutate()}>
        {forkTexts.send(cycle)}
      </Button>
    </Stack>
  );
};

const Fork = ({ id, cycle }: { readonly id: string; readonly cycle: number }): ReactElement => {
  const parent = useQuery({
    queryKey: ['fork', id],
    queryFn: async ({ signal }) => {
      const [session, { settings }] = await Promise.all([fetchSession(id, signal), fetchSettings(signal)]);
      return { session, definitions: settings };
    },
    // Fetched once per opened page, because the session continues meanwhile.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (parent.data === undefined) return <Pending query={parent} height={400} />;
  const { session } = parent.data;
  return (
    <>
      <p className="sentence">
        {forkTexts.of}{' '}
        <Link to="/sessions/$id" params={{ id }} search={{}}>
          {plainLine(session.request.title) || id}
        </Link>{' '}
        {forkTexts.after(cycle)}. {forkTexts.what}
      </p>
      <ForkForm cycle={cycle} {...parent.data} />
    </>
  );
};

/** The form for a fork of a session's cycle, with its changes. */
export const ForkPage = (): ReactElement => {
  const { from, cycle } = useSearch({ from: '/fork' });
  useTitle(forkTexts.title);
  return (
    <Page>
      <h1>{forkTexts.title}</h1>
      {from === undefined || cycle === undefined ? (
        <Paper component="p" p={40} ta="center" c="dimmed">
          {forkTexts.none}
        </Paper>
      ) : (
        <Fork key={`${from}.${cycle}`} id={from} cycle={Number(cycle)} />
      )}
    </Page>
  );
};
