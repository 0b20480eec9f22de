import '../styles/quality.css';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { analysedCycles, type ResultsView, type SessionLigand, type SessionView } from '@fleet/contracts';
import { metricText, plainLine, rowOf, type MetricDefinitions } from '@fleet/session-report';
import { fetchResults } from '../api/calls';
import { Failure } from '../shell/failure';
import { Listing } from '../shell/listing';
import { qualityClass } from '../state/fit-value';
import { qualityTexts } from '../texts-quality';
import { beyond, sceneFiles } from '../scene/scene-files';
import { judged, ligandCycles } from './judged';
import { ModelPanels } from './model-panels';

interface Known {
  readonly session: SessionView;
  readonly definitions: MetricDefinitions;
}

const shortProgram = (program: string): string => plainLine(program.replace(/^phenix\./, ''));

const Numbers = ({ session, definitions, results }: Known & { readonly results: ResultsView }): ReactElement => {
  const { resolution } = rowOf(session);
  const rows = judged(results.metrics, definitions, resolution);
  return (
    <section className="panel">
      <h2>
        {qualityTexts.title}{' '}
        {resolution !== undefined && (
          <span className="quiet small">{qualityTexts.at(metricText('resolution', resolution, definitions))}</span>
        )}
      </h2>
      {rows.length === 0 && <p className="quiet">{qualityTexts.none}</p>}
      {rows.length > 0 && (
        <Listing className="quality-table" testId="quality" columns={Object.values(qualityTexts.columns)}>
          {rows.map(({ name, label, meaning, value, quality, good, acceptable, program, cycle }) => (
            <tr key={name} data-metric={name}>
              <th scope="row">
                {label} <span className="quiet small quality-meaning">{meaning}</span>
              </th>
              <td className="number">{value}</td>
              <td className="nowrap">
                <span className={qualityClass(quality)}>{quality}</span>
              </td>
              <td className="number quiet">{good}</td>
              <td className="number quiet">{acceptable}</td>
              <td className="nowrap">{qualityTexts.by(shortProgram(program), cycle)}</td>
            </tr>
          ))}
        </Listing>
      )}
    </section>
  );
};

const factsOf = (
  { cc, atoms, atomsInDensity, omitCc }: SessionLigand,
  definitions: MetricDefinitions,
): readonly string[] => [
  ...(cc === undefined ? [] : [qualityTexts.cc(metricText('ligand_cc', cc, definitions))]),
  ...(atoms === undefined || atomsInDensity === undefined ? [] : [qualityTexts.inDensity(atomsInDensity, atoms)]),
  ...(omitCc === undefined ? [] : [qualityTexts.omit(metricText('cc_1_3', omitCc, definitions))]),
];

/** What the record says for the ligand after its last cycle. */
const Evidence = ({ session, definitions }: Known): ReactElement => {
  const ligand = analysedCycles(session).at(-1)?.result.ligand;
  if (ligand === undefined) return <></>;
  const { code, inModel } = ligand;
  const facts = factsOf(ligand, definitions);
  return (
    <>
      <p>
        {code !== undefined && <b>{plainLine(code)}</b>} {inModel ? qualityTexts.inModel : qualityTexts.notInModel}{' '}
        {facts.length > 0 && qualityTexts.evidence(facts.join(', '))}
      </p>
      {inModel && (
        <p>
          <Link to="/sessions/$id" params={{ id: session.id }} search={{ view: '3d' }}>
            {qualityTexts.look}
          </Link>
        </p>
      )}
    </>
  );
};

const Ligands = (known: Known): ReactElement => {
  const cycles = ligandCycles(known.session.cycles, known.definitions);
  return (
    <section className="panel" data-testid="ligands">
      <h2>{qualityTexts.ligand}</h2>
      {cycles.length === 0 && <p className="quiet">{qualityTexts.noLigand}</p>}
      <Evidence {...known} />
      {cycles.length > 0 && <h3>{qualityTexts.measured}</h3>}
      {cycles.map(({ cycle, program, metrics }) => (
        <div key={cycle} className="ligand-cycle">
          <b>{qualityTexts.by(shortProgram(program), cycle)}</b>
          <ul className="metrics">
            {metrics.map(({ label, text }) => (
              <li key={label}>
                <span className="quiet">{label}</span>
                <span className="number">{plainLine(text)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
};

/** What the coordinates of the best model say, or why they are not read. */
const Model = ({ session, definitions, results }: Known & { readonly results: ResultsView }): ReactElement => {
  const { model, problems } = sceneFiles(session, results);
  const [problem] = model === undefined ? problems : [beyond(model.file)];
  if (model !== undefined && problem === undefined)
    return <ModelPanels id={session.id} model={model} metrics={results.metrics} definitions={definitions} />;
  return (
    <section className="panel">
      <h2>{qualityTexts.rama.title}</h2>
      <p className="quiet">{problem}</p>
    </section>
  );
};

/** What the numbers of the best model are worth, by the bands of the knowledge, and what speaks for its ligands. */
export const QualityPanel = (known: Known): ReactElement => {
  const { id, cycle } = known.session;
  const results = useQuery({
    queryKey: ['session', id, 'results', cycle],
    queryFn: ({ signal }) => fetchResults(id, signal),
  });
  const { data, error } = results;
  if (data === undefined)
    return error === null ? (
      <Skeleton height={300} />
    ) : (
      <Failure error={error} onAgain={() => void results.refetch()} />
    );
  return (
    <div className="quality-view">
      <Numbers {...known} results={data} />
      <Ligands {...known} />
      <Model {...known} results={data} />
    </div>
  );
};
