import { Button, Paper, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useCallback, type ReactElement } from 'react';
import { guidanceOf } from '@fleet/contracts/sessions';
import { plainLine } from '@fleet/session-report';
import { fetchSession, fetchSettings } from '../../api/calls';
import { Pending } from '../../parts/failure';
import { useTitle } from '../../parts/use-title';
import { submitTexts } from '../../texts/submit';
import { AdviceField } from '../../advice/advice-field';
import { emptyDraft, type Draft } from './draft';
import { draftAgain } from './draft-again';
import { FolderBrowser } from './folder-browser';
import { LigandFields } from './ligand-fields';
import { PickedFiles } from './picked-files';
import { ProposalField } from './proposal-field';
import { ReadingPanel } from './reading-panel';
import { SettingsFields } from './settings-fields';
import { SubmitFailure } from '../../parts/submit-failure';
import { SubmitHead } from './submit-head';
import { UploadField } from './upload-field';
import { useSubmission, type SubmissionWork } from './use-submission';
import { Columns } from '../../parts/columns';
import { Page } from '../../parts/page';

/** Title and proposal of the session. */
const NameFields = ({
  draft: { title, proposal, beamline },
  change,
}: {
  readonly draft: Draft;
  readonly change: (more: Partial<Draft>) => void;
}): ReactElement => {
  const setProposal = useCallback((changed: string) => change({ proposal: changed }), [change]);
  return (
    <Paper component="section">
      <Columns least={180}>
        <TextInput
          label={submitTexts.fields.title}
          placeholder={submitTexts.fields.titleHint}
          maxLength={200}
          value={title}
          onChange={({ currentTarget }) => change({ title: currentTarget.value })}
        />
        <ProposalField proposal={proposal} onChange={setProposal} />
        <TextInput
          label={submitTexts.fields.beamline}
          value={beamline}
          onChange={({ currentTarget }) => change({ beamline: currentTarget.value })}
        />
      </Columns>
    </Paper>
  );
};

/** The form without its files, the preview, and the button that submits it. */
const SubmitForm = ({ work }: { readonly work: SubmissionWork }): ReactElement => {
  const { draft, change, definitions, reading, isReading, isRight, isSending, failure, send } = work;
  return (
    <Stack gap={14}>
      <PickedFiles
        files={draft.files}
        reading={reading}
        onRemove={(path) => change({ files: draft.files.filter((one) => one !== path) })}
      />
      <LigandFields draft={draft} change={change} />
      <NameFields draft={draft} change={change} />
      <Paper component="section">
        <AdviceField advice={draft.advice} onChange={(advice) => change({ advice })} />
      </Paper>
      <SettingsFields
        definitions={definitions}
        settings={draft.settings}
        onChange={(settings) => change({ settings })}
      />
      {draft.files.length > 0 && <ReadingPanel reading={reading} isReading={isReading} />}
      <SubmitFailure message={failure} />
      <Button w="fit-content" disabled={!isRight} loading={isSending} onClick={send}>
        {submitTexts.send}
      </Button>
    </Stack>
  );
};

const Submission = ({ place, initial }: { readonly place: string; readonly initial: Draft }): ReactElement => {
  const { folder } = useSearch({ from: '/submit' });
  const work = useSubmission(place, initial);
  const { draft, change } = work;
  return (
    <Columns of="2fr 3fr">
      <FolderBrowser
        folder={folder}
        picked={draft.files}
        onPick={(path, isOn) =>
          change({ files: isOn ? [...draft.files, path] : draft.files.filter((one) => one !== path) })
        }
      >
        <UploadField
          place={place}
          proposal={draft.proposal}
          onComplete={(paths) => change({ files: [...new Set([...draft.files, ...paths])] })}
        />
      </FolderBrowser>
      <SubmitForm work={work} />
    </Columns>
  );
};

/** A form that begins with a session's submission, to change and submit it again. */
const Again = ({ id }: { readonly id: string }): ReactElement => {
  const again = useQuery({
    queryKey: ['again', id],
    queryFn: async ({ signal }) => {
      const [session, { settings }] = await Promise.all([fetchSession(id, signal), fetchSettings(signal)]);
      return { session, draft: draftAgain(session, settings) };
    },
    // Fetched once per opened page, because its advice changes meanwhile.
    staleTime: Infinity,
    gcTime: 0,
  });
  if (again.data === undefined) return <Pending query={again} height={400} />;
  const { session, draft } = again.data;
  const title = plainLine(session.request.title) || id;
  const hasDirectives = Object.keys(guidanceOf(session).directives ?? {}).length > 0;
  return (
    <>
      <p className="sentence">
        {submitTexts.again.of}{' '}
        <Link to="/sessions/$id" params={{ id }} search={{}}>
          {title}
        </Link>
        . {submitTexts.again.what} {hasDirectives && submitTexts.again.directives}
      </p>
      <Submission place={`again.${id}`} initial={draft} />
    </>
  );
};

/** Pick files, write advice, see its reading and the first step, submit. */
export const SubmitPage = (): ReactElement => {
  const { from } = useSearch({ from: '/submit' });
  useTitle(submitTexts.title);
  return (
    <Page>
      <SubmitHead />
      {from === undefined ? (
        <Submission key="" place="submission" initial={emptyDraft} />
      ) : (
        <Again key={from} id={from} />
      )}
    </Page>
  );
};
