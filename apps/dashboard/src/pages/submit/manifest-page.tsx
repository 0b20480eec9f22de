import { Button, Group, Paper, Stack } from '@mantine/core';
import { useRef, useState, type ReactElement } from 'react';
import { useTitle } from '../../parts/use-title';
import { submitTexts } from '../../texts/submit';
import { ManifestDrop } from './manifest-drop';
import { ManifestFields } from './manifest-fields';
import { rangeOfLine } from './manifest-text';
import { ManifestRows } from './manifest-rows';
import { SubmitFailure } from '../../parts/submit-failure';
import { SubmitHead } from './submit-head';
import { useManifest, type ManifestWork } from './use-manifest';
import { Page } from '../../parts/page';

const words = submitTexts.manifest;

/** Why the rows cannot be submitted yet, or what happens to rejected ones. */
const Hint = ({ work: { checkState, batch } }: { readonly work: ManifestWork }): ReactElement | null => {
  if (checkState === 'again' || checkState === 'changed') return <span className="quiet">{words[checkState]}</span>;
  const hasRejected = checkState === 'checked' && batch !== undefined && batch.states.rejected > 0;
  return hasRejected ? <span className="quiet">{words.only}</span> : null;
};

/** Validates the rows, then submits them. */
const Acts = ({ work }: { readonly work: ManifestWork }): ReactElement => {
  const { manifest, batch, checkState, isChecking, isSending, check, send } = work;
  const isChecked = checkState === 'checked';
  const right = batch?.states.checked ?? 0;
  return (
    <Group gap="xs">
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
    </Group>
  );
};

/** Drop a manifest, preview each row, correct it, submit. */
export const ManifestPage = (): ReactElement => {
  useTitle(submitTexts.title);
  const work = useManifest();
  const [problem, setProblem] = useState<string>();
  const area = useRef<HTMLTextAreaElement>(null);
  const { manifest, change, batch, failure } = work;
  return (
    <Page>
      <SubmitHead />
      <Paper component="section">
        <Stack gap="sm">
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
        </Stack>
      </Paper>
      {batch !== undefined && (
        <ManifestRows
          batch={batch}
          onLine={(line) => {
            area.current?.focus();
            area.current?.setSelectionRange(...rangeOfLine(manifest.text, line));
          }}
        />
      )}
    </Page>
  );
};
