import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ResultMetric } from '@fleet/contracts/sessions';
import { plainLine, type MetricDefinitions } from '@fleet/session-report';
import type { SceneFile } from '../scene/scene-files';
import { Pending } from '../../../parts/failure';
import { qualityTexts } from '../../../texts/quality';
import { measureModel } from './measure-model';
import { RamachandranPanel } from './ramachandran-panel';
import { ResiduePanel } from './residue-panel';

/** Measurements of a model's coordinates, calculated in a worker. */
export const ModelPanels = ({
  model,
  ...known
}: {
  readonly id: string;
  readonly model: SceneFile;
  readonly metrics: readonly ResultMetric[];
  readonly definitions: MetricDefinitions;
}): ReactElement => {
  const measured = useQuery({
    queryKey: ['measured', model.href],
    queryFn: ({ signal }) => measureModel(model, signal),
    staleTime: Infinity,
  });
  const { data } = measured;
  if (data === undefined) return <Pending query={measured} height={500} />;
  const file = plainLine(model.file.path.split('/').at(-1) ?? '');
  const name = model.program === undefined ? qualityTexts.submitted(file) : file;
  return (
    <>
      <RamachandranPanel {...known} torsions={data.torsions} name={name} />
      <ResiduePanel residues={data.residues} name={name} isPredicted={model.file.facts.model?.predicted === true} />
    </>
  );
};
