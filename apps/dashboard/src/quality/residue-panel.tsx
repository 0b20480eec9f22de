import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import { fetchFile } from '../api/calls';
import { modelText } from '../scene/model-text';
import type { SceneFile } from '../scene/scene-files';
import { Failure } from '../shell/failure';
import { qualityTexts } from '../texts-quality';
import { residueBs, type ResidueB } from './residue-b';
import { ResidueChart } from './residue-chart';

const fetchResidues = async ({ href, file }: SceneFile, signal: AbortSignal): Promise<readonly ResidueB[]> =>
  residueBs(modelText(await (await fetchFile(href, signal)).text(), file.facts.format));

/** How sure each residue of a model is. */
export const ResiduePanel = ({ model }: { readonly model: SceneFile }): ReactElement => {
  const residues = useQuery({
    queryKey: ['residues', model.href],
    queryFn: ({ signal }) => fetchResidues(model, signal),
    staleTime: Infinity,
  });
  const name = plainLine(model.file.path.split('/').at(-1) ?? '');
  const { data, error } = residues;
  return (
    <section className="panel">
      <h2>
        {qualityTexts.residues}{' '}
        <span className="quiet small">
          {model.file.facts.model?.predicted === true
            ? qualityTexts.predictedWhy(name)
            : qualityTexts.residuesWhy(name)}
        </span>
      </h2>
      {data !== undefined && <ResidueChart residues={data} />}
      {data === undefined && error === null && <Skeleton height={250} />}
      {data === undefined && error !== null && <Failure error={error} onAgain={() => void residues.refetch()} />}
    </section>
  );
};
