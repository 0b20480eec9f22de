import { Paper } from '@mantine/core';
import type { ReactElement } from 'react';
import { qualityTexts } from '../../../texts/quality';
import type { ResidueB } from './residue-b';
import { ResidueChart } from './residue-chart';

/** The confidence or B of each residue of a model. */
export const ResiduePanel = ({
  residues,
  name,
  isPredicted,
}: {
  readonly residues: readonly ResidueB[];
  readonly name: string;
  readonly isPredicted: boolean;
}): ReactElement => (
  <Paper component="section">
    <h2>
      {qualityTexts.residues}{' '}
      <span className="quiet small">
        {isPredicted ? qualityTexts.predictedWhy(name) : qualityTexts.residuesWhy(name)}
      </span>
    </h2>
    <ResidueChart residues={residues} />
  </Paper>
);
