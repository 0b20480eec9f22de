import { Paper, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { submitTexts } from '../../texts/submit';
import type { Draft } from './draft';

const words = submitTexts.ligands;

/** Ligands without a file: codes of the Chemical Component Dictionary, and SMILES. */
export const LigandFields = ({
  draft: { codes, smiles },
  change,
}: {
  readonly draft: Pick<Draft, 'codes' | 'smiles'>;
  readonly change: (more: Partial<Pick<Draft, 'codes' | 'smiles'>>) => void;
}): ReactElement => (
  <Paper component="section">
    <h2>{words.title}</h2>
    <p className="quiet">{words.what}</p>
    <Stack gap={10} mt="xs">
      <TextInput
        label={words.codes}
        description={words.codesHint}
        placeholder="NAG"
        spellCheck={false}
        value={codes}
        onChange={({ currentTarget }) => change({ codes: currentTarget.value })}
      />
      <Textarea
        label={words.smiles}
        description={words.smilesHint}
        placeholder="CN1C(=O)C=Cc2ccccc12 LIG"
        rows={2}
        spellCheck={false}
        value={smiles}
        onChange={({ currentTarget }) => change({ smiles: currentTarget.value })}
      />
    </Stack>
  </Paper>
);
