import '../styles/submit.css';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import type { SessionView, SettingDefinition } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { fetchSession, fetchSettings, forkSession } from '../api/calls';
import { Failure } from '../shell/failure';
import { useTitle } from '../shell/use-title';
import { AdviceField } from '../submit/advice-field';
import { draftAgain } from '../submit/draft-again';
import { RepeatKeys } from '../submit/repeat-key';
import { SettingsFields } from '../submit/settings-fields';
import { SubmitFailure } from '../submit/submit-failure';
import { useDraft } from '../submit/use-draft';
import { forkTexts } from '../texts-fork';
import { submitTexts } from '../texts-submit';
import { forkWishOf, type ForkDraft } from './fork-draft';

interface Forked {
  readonly session: SessionView;
  readonly cycle: number;
  readonly definitions: Readonly<Record<string, SettingDefinition>>;
}

const ForkForm = ({ session, cycle, definitions }: Forked): ReactElement => {
  const navigate = useNavigate();
  const { title, advice, settings } = draftAgain(session, definitions);
  const [draft, change, clear] = useDraft<ForkDraft>(`fork.${session.id}.${String(cycle)}`, {
    title,
    advice,
    settings,
  });
  const [keys] = useState(() => new RepeatKeys());
  const sending = useMutation({
    mutationFn: () => {
      const wish = forkWishOf(draft, session, cycle, definitions);
      return forkSession(session.id, wish, keys.of(wish));
    },
    onSuccess: async ({ id }) => {
      clear();
      await navigate({ to: '/sessions/$id', params: { id }, search: {} });
    },
  });
  return (
    <div className="submit-form">
      <section className="panel fields">
        <TextInput
          label={submitTexts.fields.title}
          maxLength={200}
          value={draft.title}
          onChange={({ currentTarget }) => {
            change({ title: currentTarget.value });
          }}
        />
      </section>
      <section className="panel">
        <AdviceField
          advice={draft.advice}
          onChange={(changed) => {
            change({ advice: changed });
          }}
        />
      </section>
      <SettingsFields
        definitions={definitions}
        settings={draft.settings}
        onChange={(changed) => {
          change({ settings: changed });
        }}
      />
      <p className="quiet">{forkTexts.counts}</p>
      <SubmitFailure message={sending.error?.message} />
      <Button
        className="submit-send"
        loading={sending.isPending}
        onClick={() => {
          sending.mutate();
        }}
      >
        {forkTexts.send(cycle)}
      </Button>
    </div>
  );
};

const Fork = ({ id, cycle }: { readonly id: string; readonly cycle: number }): ReactElement => {
  const parent = useQuery({
    queryKey: ['fork', id],
    queryFn: async ({ signal }) => {
      const [session, { settings }] = await Promise.all([fetchSession(id, signal), fetchSettings(signal)]);
      return { session, definitions: settings };
    },
    // Once for each time that the page is opened: the session continues meanwhile.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (parent.data === undefined)
    return parent.error === null ? (
      <Skeleton height={400} />
    ) : (
      <Failure error={parent.error} onAgain={() => void parent.refetch()} />
    );
  const { session } = parent.data;
  return (
    <>
      <p className="again">
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

/** A session that continues from a cycle of another one, with what is to be other. */
export const ForkPage = (): ReactElement => {
  const { from, cycle } = useSearch({ from: '/fork' });
  useTitle(forkTexts.title);
  return (
    <div className="page">
      <h1>{forkTexts.title}</h1>
      {from === undefined || cycle === undefined ? (
        <p className="empty">{forkTexts.none}</p>
      ) : (
        <Fork key={`${from}.${cycle}`} id={from} cycle={Number(cycle)} />
      )}
    </div>
  );
};
