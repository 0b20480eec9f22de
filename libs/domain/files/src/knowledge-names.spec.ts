import { readdirSync, readFileSync } from 'node:fs';
import type {
  BestFileScoring,
  FileCategory,
  MetricDefinition,
  ProgramKnowledge,
  SummaryDisplay,
} from '@fleet/knowledge-model';
import { factsOf } from '@fleet/knowledge-model';
import { aFile, dataFile, mapFile, modelFile } from '@fleet/testing';
import { load } from 'js-yaml';
import { factsOfFiles } from './index';

const read = (path: string): unknown => load(readFileSync(`knowledge/${path}`, 'utf8'));
const { categories } = read('file_categories.yaml') as { categories: readonly FileCategory[] };
const { metrics, best_files, summary } = read('metrics.yaml') as {
  metrics: Readonly<Record<string, MetricDefinition>>;
  best_files: Readonly<Record<string, BestFileScoring>>;
  summary: SummaryDisplay;
};
const programs = readdirSync('knowledge/programs').map((name) => read(`programs/${name}`) as ProgramKnowledge);
const categoryNames = categories.map(({ name }) => name);
const programNames = new Set(programs.map(({ name }) => name));

/** All facts that files of any kind can have. */
const knownFacts = new Set(
  [mapFile('/data/map.mrc'), aFile({ facts: { ...dataFile().facts, ...modelFile().facts } })].flatMap((file) =>
    Object.keys(factsOfFiles([file]).get(file) ?? {}),
  ),
);

describe('file_categories.yaml', () => {
  it.each(categories)(
    '$name names existing parents, programs and facts, and is excluded only by categories above it',
    (category) => {
      const above = categoryNames.slice(0, categoryNames.indexOf(category.name));
      expect(categoryNames).toEqual(expect.arrayContaining([...category.parents]));
      expect(above).toEqual(expect.arrayContaining([...(category.unless ?? [])]));
      expect([...programNames]).toEqual(expect.arrayContaining([...category.made_by]));
      expect([...knownFacts]).toEqual(
        expect.arrayContaining((category.content ?? []).flatMap((condition) => [...factsOf(condition)])),
      );
    },
  );
});

describe('metrics.yaml', () => {
  it.each(Object.entries(best_files))('scores %s by categories and metrics that exist', (category, scoring) => {
    expect(categoryNames).toEqual(expect.arrayContaining([category, ...Object.keys(scoring.stages)]));
    expect(Object.keys(metrics)).toEqual(expect.arrayContaining(scoring.metrics.map(({ metric }) => metric)));
  });

  it('shows existing metrics of existing programs', () => {
    const shown = [
      ...summary.data_quality,
      ...Object.values(summary.quality).flat(),
      ...Object.values(summary.steps).flatMap((step) => step.metrics),
    ];
    expect(Object.keys(metrics)).toEqual(expect.arrayContaining(shown));
    expect([...programNames]).toEqual(expect.arrayContaining(Object.keys(summary.steps)));
  });

  it.each(Object.entries(metrics))(
    'has bands of %s in the order of its better side, each row at a higher resolution limit than the one before',
    (_, definition) => {
      const bands = definition.bands ?? [];
      for (const { good, acceptable, poor } of bands) {
        const ordered = definition.better === 'higher' ? [poor, acceptable, good] : [good, acceptable, poor];
        expect(ordered).toEqual(ordered.toSorted((one, other) => one - other));
      }
      const at = bands.flatMap((band) => band.at ?? []);
      expect(at).toHaveLength(bands.length > 1 ? bands.length : 0);
      expect(at).toEqual([...new Set(at)].toSorted((one, other) => one - other));
    },
  );
});

it.each(programs)(
  'the log patterns of $name give defined metrics, in their units, each pattern with its own id',
  (program) => {
    for (const pattern of program.metrics) {
      for (const name of Object.keys(pattern.metrics ?? { [pattern.metric]: 'value' })) {
        expect([name, metrics[name]?.unit]).toEqual([name, pattern.unit]);
        expect(metrics).toHaveProperty(name);
      }
    }
    const ids = program.metrics.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  },
);
