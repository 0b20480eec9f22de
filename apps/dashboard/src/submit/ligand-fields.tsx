import { Textarea, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { submitTexts } from '../texts-submit';
import type { Draft } from './draft';

const words = submitTexts.ligands;

/** Ligands without a file: codes of the Chemical Component Dictionary, and SMILES. */
export const LigandFields = ({
  draft: { codes, smiles },
  change,
}: {
  readonly draft: Draft;
  readonly change: (more: Partial<Draft>) => void;
}): ReactElement => (
  <section className="panel ligand-fields">
    <h2>{words.title}</h2>
    <p className="quiet">{words.what}</p>
    <div className="ligand-inputs">
      <TextInput
        label={words.codes}
        description={words.codesHint}
        placeholder="NAG"
        spellCheck={false}
        value={codes}
        onChange={({ currentTarget }) => {
          change({ codes: currentTarget.value });
        }}
      />
      <Textarea
        label={words.smiles}
        description={words.smilesHint}
        placeholder="CN1C(=O)C=Cc2ccccc12 LIG"
        rows={2}
        spellCheck={false}
        value={smiles}
        onChange={({ currentTarget }) => {
          change({ smiles: currentTarget.value });
        }}
      />
    </div>
  </section>
);
