import type { SessionFile } from '@fleet/contracts/sessions';
import {
  argvOf,
  dataFile,
  modelFile,
  refinements,
  sequenceFile,
  walkBench,
  words,
  type FakeRuns,
} from '@fleet/testing';

const anomalous = {
  observations: [{ labels: 'I(+),SIGI(+),I(-),SIGI(-)', kind: 'intensity' as const, anomalous: true }],
};
/** Phaser writes no flags if its input has none. */
const withoutFlags = (file: SessionFile): SessionFile => {
  const copy = structuredClone(file);
  delete (copy.facts.mtz as { freeFlag?: string } | undefined)?.freeFlag;
  return copy;
};

const flagged = dataFile({ ...anomalous, freeSet: 'aa bb cc' });
const unflagged = withoutFlags(flagged);

const passedOn = '/work/s/overall_best_refine_data.mtz';
const density = dataFile(
  { observations: [], mapCoefficients: ['FWT,PHWT'] },
  '/work/s/overall_best_denmod_map_coeffs.mtz',
);
/** Outputs of autosol: its trace, its phases with flags, its density. */
const autosolWith = (freeSet: string): FakeRuns['autosol'] => [
  {
    outputs: [modelFile('/work/s/overall_best.pdb'), dataFile({ phases: ['PHIB', 'HLA'], freeSet }, passedOn), density],
  },
];
const runs: FakeRuns = {
  xtriage: [{ metrics: { resolution: 2.2, anomalous_measurability: 0.18 } }],
  phaser: [
    {
      metrics: { tfz: 24.5 },
      outputs: [modelFile('/work/p/PHASER.1.pdb'), dataFile({ mapCoefficients: ['FWT,PHWT'] }, '/work/p/PHASER.1.mtz')],
    },
  ],
  autosol: autosolWith('dd ee ff'),
  autobuild: [{ metrics: { r_free: 0.29, r_work: 0.25 }, outputs: [modelFile('/work/a/overall_best.pdb')] }],
  refine: refinements(0.25),
};

const { walk } = walkBench({ runs, installed: 'all' });

const filesIn = (argv: readonly string[]): string => argv.filter((token) => /\.(mtz|pdb|fasta)$/.test(token)).join(' ');

describe('experimental phases of data that carry a free set', () => {
  it('SAD: each command has the file it needs, and refinement never another free set', async () => {
    const walked = await walk([flagged, sequenceFile()]);
    expect(words(walked)).toBe('xtriage autosol autobuild refine refine molprobity STOP converged');
    expect(filesIn(argvOf(walked, 'xtriage'))).toContain('/data/data.mtz');
    expect(filesIn(argvOf(walked, 'autosol'))).toBe('autosol.data=/data/data.mtz seq_file=/data/seq.fasta');
    expect(filesIn(argvOf(walked, 'autobuild'))).toBe(
      `data=${passedOn} refinement_file=/data/data.mtz seq_file=/data/seq.fasta model=/work/s/overall_best.pdb map_file=${density.path}`,
    );
    expect(filesIn(argvOf(walked, 'refine'))).toBe('/work/a/overall_best.pdb /data/data.mtz');
    expect(argvOf(walked, 'refine').join(' ')).not.toContain('generate');
  });

  it('MR-SAD: phases of the anomalous signal, not those of the placed model', async () => {
    const walked = await walk([flagged, sequenceFile(), modelFile('/data/search_model.pdb')]);
    expect(words(walked)).toBe('xtriage phaser autosol autobuild refine refine molprobity STOP converged');
    expect(filesIn(argvOf(walked, 'phaser'))).toContain('/data/data.mtz');
    expect(filesIn(argvOf(walked, 'autosol'))).toBe(
      'autosol.data=/data/data.mtz seq_file=/data/seq.fasta partpdb_file=/work/p/PHASER.1.pdb',
    );
    expect(filesIn(argvOf(walked, 'autobuild'))).toContain(`data=${passedOn} refinement_file=/data/data.mtz`);
    expect(filesIn(argvOf(walked, 'refine'))).toBe('/work/a/overall_best.pdb /data/data.mtz');
  });

  it('one file is enough if its content shows the same free set', async () => {
    const walked = await walk([flagged, sequenceFile()], { autosol: autosolWith('aa bb cc') });
    expect(filesIn(argvOf(walked, 'autobuild'))).toContain(`data=${passedOn} seq_file`);
    expect(argvOf(walked, 'autobuild').join(' ')).not.toContain('refinement_file');
  });

  it('density modification after refinement uses the phases and the set of the first refinement', async () => {
    const solved = await walk([flagged, sequenceFile()]);
    const walked = await walk([flagged, sequenceFile()], runs, {
      from: solved.session.cycles,
      directives: { stop_conditions: { after_program: 'phenix.autobuild_denmod' } },
    });
    expect(filesIn(argvOf(walked, 'autobuild_denmod'))).toMatch(
      new RegExp(`^data=${passedOn} refinement_file=/work/c\\d/refine_001_data.mtz seq_file`),
    );
  });
});

describe('experimental phases of data without a free set', () => {
  it('SAD: the set that autosol generated stays for the rest of the session', async () => {
    const walked = await walk([unflagged, sequenceFile()]);
    expect(filesIn(argvOf(walked, 'autosol'))).toContain('autosol.data=/data/data.mtz');
    expect(filesIn(argvOf(walked, 'autobuild'))).toContain(`data=${passedOn} seq_file`);
    expect(argvOf(walked, 'autobuild').join(' ')).not.toContain('refinement_file');
    expect(filesIn(argvOf(walked, 'refine'))).toBe(`/work/a/overall_best.pdb ${passedOn}`);
    expect(argvOf(walked, 'refine').join(' ')).not.toContain('generate');
  });

  it('MR-SAD: phases of autosol, whatever phaser wrote before', async () => {
    const bare = (planned: FakeRuns[string]): FakeRuns[string] =>
      typeof planned === 'function'
        ? planned
        : planned.map((run) => ({ ...run, outputs: (run.outputs ?? []).map(withoutFlags) }));
    const walked = await walk([unflagged, sequenceFile(), modelFile('/data/search_model.pdb')], {
      phaser: bare(runs.phaser ?? []),
      autosol: bare(runs.autosol ?? []),
    });
    expect(filesIn(argvOf(walked, 'autosol'))).toContain('autosol.data=/data/data.mtz');
    expect(filesIn(argvOf(walked, 'autobuild'))).toContain(`data=${passedOn} seq_file`);
    expect(argvOf(walked, 'refine')).toContain('xray_data.r_free_flags.generate=True');
  });
});
