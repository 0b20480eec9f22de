import '../styles/submit.css';
import { Button, TextInput } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useCallback, type ReactElement } from 'react';
import { useTitle } from '../shell/use-title';
import { submitTexts } from '../texts-submit';
import { AdviceField } from './advice-field';
import type { Draft } from './draft';
import { FolderBrowser } from './folder-browser';
import { PickedFiles } from './picked-files';
import { ProposalField } from './proposal-field';
import { ReadingPanel } from './reading-panel';
import { SettingsFields } from './settings-fields';
import { SubmitFailure } from './submit-failure';
import { SubmitHead } from './submit-head';
import { useSubmission, type SubmissionWork } from './use-submission';

/** What the session is called, and where it belongs. */
const NameFields = ({
  draft: { title, proposal, beamline },
  change,
}: {
  readonly draft: Draft;
  readonly change: (more: Partial<Draft>) => void;
}): ReactElement => {
  const setProposal = useCallback(
    (changed: string) => {
      change({ proposal: changed });
    },
    [change],
  );
  return (
    <section className="panel fields">
      <TextInput
        label={submitTexts.fields.title}
        placeholder={submitTexts.fields.titleHint}
        maxLength={200}
        value={title}
        onChange={({ currentTarget }) => {
          change({ title: currentTarget.value });
        }}
      />
      <ProposalField proposal={proposal} onChange={setProposal} />
      <TextInput
        label={submitTexts.fields.beamline}
        value={beamline}
        onChange={({ currentTarget }) => {
          change({ beamline: currentTarget.value });
        }}
      />
    </section>
  );
};

/** Everything but the files, what the gateway makes of it, and the button that sends it. */
const SubmitForm = ({ work }: { readonly work: SubmissionWork }): ReactElement => {
  const { draft, change, definitions, reading, isLooking, isRight, isSending, failure, send } = work;
  return (
    <div className="submit-form">
      <PickedFiles
        files={draft.files}
        reading={reading}
        onRemove={(path) => {
          change({ files: draft.files.filter((one) => one !== path) });
        }}
      />
      <NameFields draft={draft} change={change} />
      <section className="panel">
        <AdviceField
          advice={draft.advice}
          onChange={(advice) => {
            change({ advice });
          }}
        />
      </section>
      <SettingsFields
        definitions={definitions}
        settings={draft.settings}
        onChange={(settings) => {
          change({ settings });
        }}
      />
      {draft.files.length > 0 && <ReadingPanel reading={reading} isLooking={isLooking} />}
      <SubmitFailure message={failure} />
      <Button className="submit-send" disabled={!isRight} loading={isSending} onClick={send}>
        {submitTexts.send}
      </Button>
    </div>
  );
};

/** Pick files, say what is wanted, see what is understood and what would come first, submit. */
export const SubmitPage = (): ReactElement => {
  const { folder } = useSearch({ from: '/submit' });
  useTitle(submitTexts.title);
  const work = useSubmission();
  const { draft, change } = work;
  return (
    <div className="page">
      <SubmitHead />
      <div className="submit">
        <FolderBrowser
          folder={folder}
          picked={draft.files}
          onPick={(path, isOn) => {
            change({ files: isOn ? [...draft.files, path] : draft.files.filter((one) => one !== path) });
          }}
        />
        <SubmitForm work={work} />
      </div>
    </div>
  );
};
