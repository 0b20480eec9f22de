import '../styles/batches.css';
import '../styles/submit.css';
import { Button } from '@mantine/core';
import { useRef, useState, type ReactElement } from 'react';
import { useTitle } from '../shell/use-title';
import { submitTexts } from '../texts-submit';
import { ManifestDrop } from './manifest-drop';
import { ManifestFields } from './manifest-fields';
import { placeOfLine } from './manifest-text';
import { ManifestVerdicts } from './manifest-verdicts';
import { SubmitFailure } from './submit-failure';
import { SubmitHead } from './submit-head';
import { useManifest, type ManifestWork } from './use-manifest';

const words = submitTexts.manifest;

/** Why the rows cannot be submitted yet, or the outcome of those that are wrong. */
const Hint = ({ work: { standing, batch } }: { readonly work: ManifestWork }): ReactElement | null => {
  if (standing === 'again' || standing === 'changed') return <span className="quiet">{words[standing]}</span>;
  const hasRejected = standing === 'checked' && batch !== undefined && batch.verdicts.rejected > 0;
  return hasRejected ? <span className="quiet">{words.only}</span> : null;
};

/** Checks the rows, then submits them. */
const Acts = ({ work }: { readonly work: ManifestWork }): ReactElement => {
  const { manifest, batch, standing, isChecking, isSending, check, send } = work;
  const isChecked = standing === 'checked';
  const right = batch?.verdicts.checked ?? 0;
  return (
    <div className="acts">
      <Button
        variant={isChecked ? 'default' : 'filled'}
        disabled={manifest.text.trim() === ''}
        loading={isChecking}
        onClick={check}
      >
        {words.check}
      </Button>
      {batch !== undefined && (
        <Button disabled={!isChecked || right === 0} loading={isSending} onClick={send}>
          {words.send(right)}
        </Button>
      )}
      <Hint work={work} />
    </div>
  );
};

/** Drop a manifest, see what would become of each row, correct it, submit. */
export const ManifestPage = (): ReactElement => {
  useTitle(submitTexts.title);
  const work = useManifest();
  const [problem, setProblem] = useState<string>();
  const area = useRef<HTMLTextAreaElement>(null);
  const { manifest, change, batch, failure } = work;
  return (
    <div className="page">
      <SubmitHead />
      <section className="panel manifest">
        <p className="quiet">{words.hint}</p>
        <ManifestDrop
          onText={(name, text) => {
            setProblem(undefined);
            change({ name, text });
          }}
          onProblem={setProblem}
        />
        <ManifestFields manifest={manifest} change={change} area={area} />
        <SubmitFailure message={problem ?? failure} />
        <Acts work={work} />
      </section>
      {batch !== undefined && (
        <ManifestVerdicts
          batch={batch}
          onLine={(line) => {
            area.current?.focus();
            area.current?.setSelectionRange(...placeOfLine(manifest.text, line));
          }}
        />
      )}
    </div>
  );
};
