import type { RequestedLigand } from '@fleet/contracts/sessions';
import {
  argvOf,
  dataFile,
  dictionaryFile,
  modelFile,
  walkBench,
  words,
  type FakeRuns,
  type WalkOptions,
  goodLigand,
  ligandPrograms,
} from '@fleet/testing';

const smiles: RequestedLigand = { smiles: 'CN1C(=O)C=Cc2ccccc12', id: 'LIG' };
const bench = walkBench({ installed: 'open' });

/** Programs of a session in which every ligand fits. `fails`: without restraints; `held`: components of the model. */
const programs = (fails: readonly string[] = [], held: readonly string[] = []): FakeRuns =>
  ligandPrograms(
    (code) => (code === '' || held.includes(code) ? undefined : { fit: goodLigand.fit, omit: goodLigand.omit }),
    {
      plain: [0.234, 0.228, 0.222, 0.216],
      held,
      withoutRestraints: fails,
    },
  );

const walk = (ligands: readonly RequestedLigand[], runs: FakeRuns = programs(), options: WalkOptions = {}) =>
  bench.walk([dataFile(), modelFile()], runs, { ...options, ligands, settings: { max_refine_cycles: 2 } });

describe('a ligand that was submitted without a file', () => {
  it('gets restraints right before the fit, and is fitted, merged and confirmed like one with a dictionary', async () => {
    const walked = await walk([smiles]);
    expect(words(walked)).toContain('xtriage model_vs_data refine elbow ligandfit pdbtools refine polder');
    expect(argvOf(walked, 'elbow')).toEqual(['phenix.elbow', '--smiles=LIG.smi', '--id=LIG', '--output=LIG']);
    expect(argvOf(walked, 'ligandfit')).toContain('ligand=/work/c4/LIG.cif');
    expect(argvOf(walked, 'refine', 1)).toContain('/work/c4/LIG.cif');
    expect(walked.stop.detail).toContain('The model holds LIG');
  });

  it('shows its SMILES only in the request', async () => {
    const { session } = await walk([smiles]);
    expect(JSON.stringify(session.request)).toContain(smiles.smiles);
    expect(JSON.stringify({ ...session, request: {} })).not.toContain(smiles.smiles);
  });

  it('may be a code, and several get restraints one after the other', async () => {
    const walked = await walk([{ code: 'NAG' }, smiles]);
    expect(words(walked)).toContain('refine elbow elbow ligandfit pdbtools refine polder ligandfit');
    expect(argvOf(walked, 'elbow')).toEqual(['phenix.elbow', '--chemical_component=NAG', '--output=NAG']);
    expect(argvOf(walked, 'elbow', 1)).toContain('--id=LIG');
  });

  it('is skipped if its restraints fail: the others continue, and the end says so', async () => {
    const walked = await walk([{ code: 'NAG' }, smiles], programs(['NAG']));
    expect(words(walked)).toContain('refine elbow elbow ligandfit pdbtools');
    expect(words(walked).match(/elbow/g)).toHaveLength(2);
    expect(walked.stop.detail).toContain(
      'phenix.elbow could not make restraints for NAG, so the session continued without',
    );
    expect(walked.stop.detail).toContain('The model holds LIG');
  });

  it('is named at the end if the program that makes restraints is not installed', async () => {
    const catalogue = {
      ...bench.catalogue,
      programs: bench.catalogue.programs.filter(({ program }) => program !== 'phenix.elbow'),
    };
    const walked = await walk([smiles], programs(), { catalogue });
    expect(words(walked)).not.toContain('ligandfit');
    expect(walked.stop.detail).toContain('No restraints were made for LIG because phenix.elbow is not installed here');
  });

  it('needs no restraints if its dictionary was submitted too', async () => {
    const walked = await bench.walk([dataFile(), modelFile(), dictionaryFile('LIG')], programs(), {
      ligands: [smiles],
    });
    expect(words(walked)).not.toContain('elbow');
    expect(argvOf(walked, 'ligandfit')).toContain('ligand=/data/LIG.cif');
  });
});

describe('a component of the model', () => {
  const held = modelFile('/data/model.pdb', { ligandCodes: ['NDG'] });

  it('gets restraints before the first refinement, if it was submitted as a code', async () => {
    const walked = await bench.walk([dataFile(), held], programs([], ['NDG']), { ligands: [{ code: 'NDG' }] });
    expect(words(walked)).toContain('model_vs_data elbow refine');
    expect(words(walked)).not.toContain('ligandfit');
    expect(argvOf(walked, 'refine')).toContain('/work/c3/NDG.cif');
  });

  const unknown = [
    'Number of atoms with unknown nonbonded energy type symbols: 15',
    'Sorry: Fatal problems interpreting model file: residue NDG A 501',
  ];

  it('gets restraints after a refinement without them, and is refined again with them', async () => {
    const all = programs([], ['GOL', 'NDG']);
    const refine = all['refine'] as Exclude<FakeRuns[string], readonly unknown[]>;
    const runs: FakeRuns = {
      ...all,
      refine: (decision, cycle) =>
        decision.argv.some((token) => token.endsWith('NDG.cif'))
          ? refine(decision, cycle)
          : { fails: 'Fatal problems interpreting model file', errorLines: unknown },
    };
    const model = modelFile('/data/model.pdb', { ligandCodes: ['GOL', 'NDG'] });
    const walked = await bench.walk([dataFile(), model], runs);
    expect(words(walked)).toContain('model_vs_data refine elbow refine');
    expect(argvOf(walked, 'elbow')).toEqual(['phenix.elbow', '--chemical_component=NDG', '--output=NDG']);
  });

  it('ends the session if its restraints fail, as before', async () => {
    const runs: FakeRuns = {
      ...programs(['NDG']),
      refine: [{ fails: 'Fatal problems interpreting model file', errorLines: unknown }],
    };
    const walked = await bench.walk([dataFile(), held], runs);
    expect(words(walked)).toBe('xtriage model_vs_data refine elbow STOP program_failed');
    expect(walked.stop.detail).toContain('could not make restraints for NDG');
  });
});
