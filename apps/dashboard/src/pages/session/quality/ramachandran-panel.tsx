import { Paper } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { shortName, type ResultMetric } from '@fleet/contracts/sessions';
import { metricText, plainLine, type MetricDefinitions } from '@fleet/session-report';
import { qualityTexts } from '../../../texts/quality';
import { pointParameter, regionCounts, residueClasses, type Torsion } from './ramachandran';
import { RamachandranPlot } from './ramachandran-plot';
import { TorsionList } from './torsion-list';
import { Columns } from '../../../parts/columns';

const { rama } = qualityTexts;

interface Charted {
  readonly id: string;
  readonly torsions: readonly Torsion[];
  /** Metrics from the programs' logs. */
  readonly metrics: readonly ResultMetric[];
  readonly definitions: MetricDefinitions;
  /** Name of the model, from a program or a user. */
  readonly name: string;
}

const recordedOf = ({ metrics, definitions }: Charted): string => {
  const [favoured, outliers] = ['ramachandran_favored', 'ramachandran_outliers'].map((name) =>
    metrics.find((metric) => metric.name === name),
  );
  if (favoured === undefined || outliers === undefined) return rama.notRecorded;
  const text = ({ name, value }: ResultMetric): string => metricText(name, value, definitions);
  const by = qualityTexts.by(plainLine(shortName(favoured.program)), favoured.cycle);
  return rama.recorded(text(favoured), text(outliers), by);
};

const Plots = ({ id, torsions }: Pick<Charted, 'id' | 'torsions'>): ReactElement => {
  const navigate = useNavigate();
  const byClass = useMemo(
    () =>
      residueClasses
        .map((kind) => ({ kind, torsions: torsions.filter((torsion) => torsion.kind === kind) }))
        .filter((plotted) => plotted.torsions.length > 0),
    [torsions],
  );
  return (
    <Columns least={380} my="sm">
      {byClass.map((plotted) => (
        <RamachandranPlot
          key={plotted.kind}
          {...plotted}
          onOpen={(torsion) => {
            void navigate({ to: '/sessions/$id', params: { id }, search: { view: '3d', at: pointParameter(torsion) } });
          }}
        />
      ))}
    </Columns>
  );
};

/** The backbone angles by MolProbity's classes, and the outliers. */
export const RamachandranPanel = (charted: Charted): ReactElement => {
  const { id, torsions, name } = charted;
  const { favoured, outlier } = regionCounts(torsions);
  return (
    <Paper component="section" data-testid="ramachandran">
      <h2>
        {rama.title} <span className="quiet small">{rama.from(name)}</span>
      </h2>
      {torsions.length === 0 ? (
        <p className="quiet">{rama.none}</p>
      ) : (
        <>
          <p>{rama.computed(favoured, outlier, torsions.length)}</p>
          <p className="quiet small">{recordedOf(charted)}</p>
          <Plots id={id} torsions={torsions} />
          <p className="quiet small sentence">
            {rama.how} {rama.source} (<a href="ramachandran-licence.txt">{rama.licence}</a>).
          </p>
          <TorsionList id={id} torsions={torsions} />
        </>
      )}
    </Paper>
  );
};
