import { Box, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import {
  analysedCycles,
  shortName,
  type ResultsView,
  type SessionLigand,
  type SessionView,
} from '@fleet/contracts/sessions';
import { metricText, plainLine, rowOf, type MetricDefinitions } from '@fleet/session-report';
import { fetchResults } from '../../../api/calls';
import { Pending } from '../../../parts/failure';
import { Listing } from '../../../parts/listing';
import { Judged } from '../../../state/fit-value';
import { qualityTexts } from '../../../texts/quality';
import { beyond, sceneFiles } from '../scene/scene-files';
import { judged, ligandCycles } from './judged';
import { ModelPanels } from './model-panels';
import { Columns } from '../../../parts/columns';

interface QualityProps {
  readonly session: SessionView;
  readonly definitions: MetricDefinitions;
}

const shortProgram = (program: string): string => plainLine(shortName(program));

const Numbers = ({ session, definitions, results }: QualityProps & { readonly results: ResultsView }): ReactElement => {
  const { resolution } = rowOf(session);
  const rows = judged(results.metrics, definitions, resolution);
  return (
    <Paper component="section">
      <h2>
        {qualityTexts.title}{' '}
        {resolution !== undefined && (
          <span className="quiet small">{qualityTexts.at(metricText('resolution', resolution, definitions))}</span>
        )}
      </h2>
      {rows.length === 0 && <p className="quiet">{qualityTexts.none}</p>}
      {rows.length > 0 && (
        <Listing testId="quality" columns={Object.values(qualityTexts.columns)}>
          {rows.map(({ name, label, meaning, value, quality, good, acceptable, program, cycle }) => (
            <Table.Tr key={name} data-metric={name}>
              <Table.Th scope="row">
                {label}{' '}
                <Text component="span" display="block" fw={400} c="dimmed" fz="xs">
                  {meaning}
                </Text>
              </Table.Th>
              <Table.Td className="number">{value}</Table.Td>
              <Table.Td className="number">
                <Judged as={quality}>{quality}</Judged>
              </Table.Td>
              <Table.Td className="number quiet">{good}</Table.Td>
              <Table.Td className="number quiet">{acceptable}</Table.Td>
              <Table.Td className="number">{qualityTexts.by(shortProgram(program), cycle)}</Table.Td>
            </Table.Tr>
          ))}
        </Listing>
      )}
    </Paper>
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

/** Evidence for the ligand after the last cycle. */
const Evidence = ({ session, definitions }: QualityProps): ReactElement => {
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

const Ligands = (props: QualityProps): ReactElement => {
  const cycles = ligandCycles(props.session.cycles, props.definitions);
  return (
    <Paper component="section" data-testid="ligands">
      <h2>{qualityTexts.ligand}</h2>
      {cycles.length === 0 && <p className="quiet">{qualityTexts.noLigand}</p>}
      <Evidence {...props} />
      {cycles.length > 0 && <h3>{qualityTexts.measured}</h3>}
      {cycles.map(({ cycle, program, metrics }) => (
        <Box key={cycle} mt="xs">
          <b>{qualityTexts.by(shortProgram(program), cycle)}</b>
          <Columns component="ul" least={210} data-testid="metrics">
            {metrics.map(({ label, text }) => (
              <Group component="li" justify="space-between" gap={10} key={label}>
                <span className="quiet">{label}</span>
                <span className="number">{plainLine(text)}</span>
              </Group>
            ))}
          </Columns>
        </Box>
      ))}
    </Paper>
  );
};

/** Measurements of the best model, or why there are none. */
const Model = ({ session, definitions, results }: QualityProps & { readonly results: ResultsView }): ReactElement => {
  const { model, problems } = sceneFiles(session, results);
  const [problem] = model === undefined ? problems : [beyond(model.file)];
  if (model !== undefined && problem === undefined)
    return <ModelPanels id={session.id} model={model} metrics={results.metrics} definitions={definitions} />;
  return (
    <Paper component="section">
      <h2>{qualityTexts.rama.title}</h2>
      <p className="quiet">{problem}</p>
    </Paper>
  );
};

/** The best model's metrics, rated by the bands of the knowledge, and the evidence for its ligands. */
export const QualityPanel = (props: QualityProps): ReactElement => {
  const { id, cycle } = props.session;
  const results = useQuery({
    queryKey: ['session', id, 'results', cycle],
    queryFn: ({ signal }) => fetchResults(id, signal),
  });
  const { data } = results;
  if (data === undefined) return <Pending query={results} height={300} />;
  return (
    <Stack gap={14}>
      <Numbers {...props} results={data} />
      <Ligands {...props} />
      <Model {...props} results={data} />
    </Stack>
  );
};
