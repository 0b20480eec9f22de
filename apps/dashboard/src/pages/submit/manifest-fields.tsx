import { Textarea, TextInput } from '@mantine/core';
import { useCallback, type ReactElement, type RefObject } from 'react';
import { plainLine } from '@fleet/session-report';
import { submitTexts } from '../../texts/submit';
import { ProposalField } from './proposal-field';
import type { Manifest } from './use-manifest';
import { Columns } from '../../parts/columns';

const words = submitTexts.manifest;

interface Editing {
  readonly manifest: Manifest;
  readonly change: (more: Partial<Manifest>) => void;
}

/** Title, proposal and base folder of the batch. */
const BatchFields = ({ manifest: { title, proposal, base }, change }: Editing): ReactElement => {
  const setProposal = useCallback((changed: string) => change({ proposal: changed }), [change]);
  return (
    <Columns least={180}>
      <TextInput
        label={words.title}
        value={title}
        maxLength={200}
        onChange={({ currentTarget }) => change({ title: currentTarget.value })}
      />
      <ProposalField proposal={proposal} onChange={setProposal} />
      <TextInput
        label={words.base}
        value={base}
        onChange={({ currentTarget }) => change({ base: currentTarget.value })}
      />
    </Columns>
  );
};

/** The rows as editable text, and the batch's fields. */
export const ManifestFields = ({
  manifest,
  change,
  area,
}: Editing & { readonly area: RefObject<HTMLTextAreaElement | null> }): ReactElement => {
  const { name, text } = manifest;
  return (
    <>
      {name !== '' && <p className="small">{words.dropped(plainLine(name), text.trimEnd().split('\n').length)}</p>}
      <BatchFields manifest={manifest} change={change} />
      <Textarea
        ref={area}
        label={words.text}
        rows={10}
        styles={{ input: { fontFamily: 'monospace', fontSize: 12 } }}
        spellCheck={false}
        wrap="off"
        value={text}
        onChange={({ currentTarget }) => change({ text: currentTarget.value })}
      />
    </>
  );
};
