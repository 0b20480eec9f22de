import type { SessionFile } from '@fleet/contracts/sessions';
import {
  aCatalogue,
  aRequest,
  aSession,
  dataFile,
  modelFile,
  projectRules,
  sequenceFile,
  unflaggedFile,
} from '@fleet/testing';
import { describeSession } from '@fleet/workflow';
import { buildCommand } from './build-command';
import type { CommandResult } from './command-types';

const ruleBook = projectRules();

const build = (program: string, inputs: readonly SessionFile[]): CommandResult => {
  const session = aSession({ request: aRequest({ inputs }) });
  const { files, facts } = describeSession({ session, ruleBook, catalogue: aCatalogue() });
  return buildCommand({ program: ruleBook.programs[`phenix.${program}`]!, files, facts, strategy: {} });
};
const argv = (result: CommandResult): readonly string[] => {
  if (!result.built) throw new Error(result.why);
  return result.command.argv;
};

describe('R-free flags', () => {
  const observations = [{ labels: 'IMEAN,SIGIMEAN', kind: 'intensity', anomalous: false }] as const;
  const bare = unflaggedFile({ observations });
  const apart = dataFile({ observations: [], freeFlag: 'FREER' }, '/data/freeR.mtz');

  it('in a separate file go to the refinement, with their label, and no others are generated', () => {
    expect(argv(build('refine', [apart, bare, modelFile()]))).toEqual([
      'phenix.refine',
      modelFile().path,
      '/data/data.mtz',
      'xray_data.r_free_flags.file_name=/data/freeR.mtz',
      'output.prefix=refine_001',
      'xray_data.r_free_flags.label=FREER',
    ]);
  });

  it.each(['autobuild', 'predict_and_build', 'autosol'])(
    'in a separate file are reported as missing by %s',
    (program) => {
      const result = build(program, [apart, bare, sequenceFile()]);
      expect(result.built && result.command.adjusted.join()).toContain('the R-free flags of freeR.mtz are not used');
    },
  );

  it('of another crystal are ignored, and new ones are generated', () => {
    const other: SessionFile = { ...apart, facts: { ...apart.facts, cell: [50, 50, 50, 90, 90, 90] } };
    const tokens = argv(build('refine', [other, bare, modelFile()]));
    expect(tokens).toContain('xray_data.r_free_flags.generate=True');
    expect(tokens.join(' ')).not.toContain('freeR.mtz');
  });

  it.each([
    ['refine', 'xray_data.r_free_flags.label=FreeR_flag'],
    ['polder', 'xray_data.r_free_flags.label=FreeR_flag'],
    ['model_vs_data', 'r_free_flags_label=FreeR_flag'],
  ])('in two columns are named to %s by %s', (program, token) => {
    const two = dataFile({ freeFlag: 'R-free-flags', otherFreeFlags: ['FreeR_flag'] });
    expect(argv(build(program, [two, modelFile()]))).toContain(token);
    expect(argv(build(program, [dataFile(), modelFile()])).join(' ')).not.toContain('FreeR_flag');
  });
});

it('selects the measured column if the file also has one without values', () => {
  const columns = ['F_unique', 'F', 'FREE'].map((label) => ({ label, type: label === 'FREE' ? 'I' : 'F' }));
  const observations = [{ labels: 'F,SIGF', kind: 'amplitude', anomalous: false }] as const;
  const data = dataFile({ columns, observations, withoutValues: ['F_unique'] });
  expect(argv(build('refine', [data, modelFile()]))).toContain('data_manager.miller_array.labels.name=F,SIGF');
  const flags = dataFile({ columns, observations, withoutValues: ['FREE'] });
  expect(argv(build('refine', [flags, modelFile()])).join(' ')).not.toContain('labels.name');
});

it.each(['xtriage', 'phaser', 'autobuild', 'predict_and_build'])(
  'gives %s the chains of all sequence files',
  (program) => {
    const pieces = ['a', 'b'].map((name): SessionFile => ({
      ...sequenceFile(),
      path: `/data/${name}.seq`,
      facts: { format: 'sequence', sequence: { chains: 1, residues: 5, sequences: [`MKV${name.toUpperCase()}`] } },
    }));
    const tokens = argv(build(program, [dataFile(), modelFile(), ...pieces]));
    expect(tokens.filter((token) => token.endsWith('.seq'))).toHaveLength(2);
  },
);
