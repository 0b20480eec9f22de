import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { problemWithLaunch } from '@fleet/commands';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import { buildDecisionGraph } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import type { RuleBook } from '@fleet/knowledge-model';
import { ProgramLogFormat } from '@fleet/log-parsing';
import {
  aFullCatalogue,
  dataFile,
  modelFile,
  refinements,
  walkSession,
  words,
  type Walk,
  useFolder,
} from '@fleet/testing';
import { describeSession } from '@fleet/workflow';

const description = `
name: phenix.composite_omit_map
purpose: map of which each part was calculated without the model there
experiments: [xray]
group: map_analysis
done: { flag: composite_omit_done, strategy: run_once }
inputs:
  - slot: model
    formats: [pdb, mmcif-model]
    best: model
    categories: [refined, model]
    exclude: [search_model, ligand, ligand_fit_output, intermediate]
    required: true
  - slot: data
    formats: [mtz]
    free_flags: locked
    best: data_mtz
    categories: [original_data_mtz, data_mtz]
    exclude: [map_coeffs_mtz]
    required: true
defaults: []
strategy:
  - key: omit_type
    parameter: omit_type
    type: choice
    choices: [simple, refine, anneal]
    source: mmtbx/programs/composite_omit_map.py
auto_fill:
  - key: omit_type
    value: { constant: simple }
    why: the fastest one shows enough
requirements:
  - when: { fact: files.model, above: 0 }
    why: it needs a model
outputs:
  - { pattern: 'composite_omit_map.mtz', what: coefficients of the map }
resources: { class: cpu, cpus: 1, memoryMiB: 2048, wallClockMinutes: 60, why: a hundred small maps }
metrics:
  - id: omit_cc
    metric: omit_map_cc
    pattern: '^CC of model and omit map: (?<value>[\\d.]+)$'
    type: number
    why: '"CC of model and omit map: 0.812"'
`;

const step = `  validate:
    state: xray_refined
    programs:
      - program: phenix.composite_omit_map
        when: { fact: refine.r_free, below: 0.35 }
        why: 'R-free {refine.r_free:3} lets an omit map say something'
`;

const folder = useFolder('file');
let ruleBook: RuleBook;

beforeAll(async () => {
  await cp(join(__dirname, '../../knowledge'), folder, { recursive: true });
  await writeFile(join(folder, 'programs/composite_omit_map.yaml'), description);
  const workflow = join(folder, 'workflows/xray.yaml');
  const text = await readFile(workflow, 'utf8');
  await writeFile(workflow, text.replace('  validate:\n    state: xray_refined\n    programs:\n', step));
  ruleBook = loadRuleBook(folder);
});

const map = dataFile({ observations: [], mapCoefficients: ['2FOFCWT,PH2FOFCWT'] }, '/work/c4/composite_omit_map.mtz');

/** What the log of its run says, read as the log analysis worker reads it. */
const metricsOf = (log: string): Record<string, number | string | boolean> => {
  const name = 'phenix.composite_omit_map';
  const reader = new ProgramLogFormat(ruleBook.programs[name] ?? { name, metrics: [] }, ruleBook.errors).open();
  reader.push(Buffer.from(log));
  return Object.fromEntries(reader.end().metrics.map(({ name, value }) => [name, value]));
};

const walk = (): Promise<Walk> =>
  walkSession({
    graph: buildDecisionGraph({ ruleBook }),
    ruleBook,
    catalogue: aFullCatalogue(ruleBook),
    inputs: [dataFile(), modelFile()],
    runs: {
      xtriage: [{ metrics: { resolution: 1.8, no_twinning_suspected: true } }],
      model_vs_data: [{ metrics: { r_work: 0.27, r_free: 0.3 } }],
      refine: refinements(0.21),
      composite_omit_map: [{ metrics: metricsOf('omit\nCC of model and omit map: 0.812\n'), outputs: [map] }],
    },
  });

/** The same session with its outputs where real ones lie, in its own folder. */
const inOwnFolder = (session: Session): Session =>
  JSON.parse(JSON.stringify(session).replaceAll('/work/c', `${session.folder}/c`)) as Session;

const omitOf = ({ cycles }: Session): CycleRecord | undefined =>
  cycles.find(({ decision }) => decision.program === 'phenix.composite_omit_map');

describe('a program that is added by its YAML and a place in a workflow', () => {
  it('is chosen and run in its step, once, with its files and values', async () => {
    const walked = await walk();
    expect(words(walked)).toBe('xtriage model_vs_data refine refine composite_omit_map molprobity STOP converged');
    expect(omitOf(walked.session)?.decision).toMatchObject({
      argv: [
        'phenix.composite_omit_map',
        '/work/c4/refine_002_001.pdb',
        '/work/c3/refine_001_data.mtz',
        'omit_type=simple',
      ],
      reasoning: expect.stringContaining('R-free 0.210') as string,
    });
  });

  it('has its metrics read from its log, and its facts made', async () => {
    const { session } = await walk();
    const { facts } = describeSession({ session, ruleBook, catalogue: aFullCatalogue(ruleBook) });
    expect(facts).toMatchObject({ 'composite_omit_map.omit_map_cc': 0.812, 'done.composite_omit_done': true });
  });

  it('has its outputs put into their categories', async () => {
    const { session } = await walk();
    const { files } = describeSession({ session, ruleBook, catalogue: aFullCatalogue(ruleBook) });
    const categories = [...files.byCategory].filter(([, members]) => members.some(({ path }) => path === map.path));
    expect(categories.map(([name]) => name)).toEqual(['map_coeffs_mtz']);
  });

  it('has its command checked before it is launched', async () => {
    const session = inOwnFolder((await walk()).session);
    const cycle = omitOf(session)!;
    const problemWith = (argument: string): string | undefined =>
      problemWithLaunch(
        session,
        { ...cycle, decision: { ...cycle.decision, argv: [...cycle.decision.argv.slice(0, -1), argument] } },
        ruleBook,
      );
    expect(problemWith('omit_type=simple')).toBeUndefined();
    expect(problemWith('omit_type=all')).toBe(
      'its argument "omit_type=all" sets omit_type, which must be one of simple, refine, anneal',
    );
    expect(problemWith('output.file_name=/etc/x')).toContain('nor a parameter of it');
  });
});
