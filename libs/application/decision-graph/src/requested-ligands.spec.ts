import type { RequestedLigand, SessionFile } from '@fleet/contracts/sessions';
import {
  argvOf,
  dataFile,
  dictionaryFile,
  modelFile,
  walkBench,
  words,
  type FakeRuns,
  type WalkOptions,
} from '@fleet/testing';

const smiles: RequestedLigand = { smiles: 'CN1C(=O)C=Cc2ccccc12', id: 'LIG' };
const bench = walkBench({ installed: 'open' });

/**
 * phenix.elbow writes the dictionary and the coordinates of the requested ligand; those in `fails` fail. `submitted`: components of the
 * model.
 */
const programs = (fails: readonly string[] = [], submitted: readonly string[] = []): FakeRuns => {
  let fitted = '';
  const heldBy = new Map([['/data/model.pdb', submitted]]);
  const model = (path: string, held: readonly string[]): SessionFile => {
    heldBy.set(path, held);
    return modelFile(path, { ligandCodes: held });
  };
  return {
    xtriage: [{ metrics: { resolution: 1.6, no_twinning_suspected: true } }],
    model_vs_data: [{ metrics: { r_work: 0.28, r_free: 0.31 } }],
    refine: ({ inputs, strategy }, cycle) => {
      const held = heldBy.get(inputs.find(({ slot }) => slot === 'model')?.path ?? '') ?? [];
      const stem = `/work/c${cycle}/${String(strategy.output_prefix)}`;
      return {
        metrics: { r_free: 0.24 - 0.002 * cycle, r_work: 0.2 },
        outputs: [
          model(`${stem}_001.pdb`, held),
          dataFile({ observations: [], mapCoefficients: ['2FOFCWT,PH2FOFCWT'] }, `${stem}_001.mtz`),
        ],
      };
    },
    elbow: ({ strategy }, cycle) => {
      const name = String(strategy.output_name);
      if (fails.includes(name)) return { fails: `Sorry: no restraints could be made of ${name}` };
      const coordinates = modelFile(`/work/c${cycle}/${name}.pdb`, { polymerResidues: 0, ligandCodes: [name] });
      return { outputs: [{ ...dictionaryFile(name), path: `/work/c${cycle}/${name}.cif` }, coordinates] };
    },
    ligandfit: ({ inputs }, cycle) => {
      fitted = /(\w+)\.cif$/.exec(inputs.find(({ slot }) => slot === 'ligand')?.path ?? '')?.[1] ?? '';
      const fit = modelFile(`/work/c${cycle}/ligand_fit_1.pdb`, { polymerResidues: 0, ligandCodes: [fitted] });
      return { metrics: { ligand_cc: 0.9, ligand_atoms: 12, atoms_in_density: 12 }, outputs: [fit] };
    },
    pdbtools: ({ inputs }, cycle) => {
      const held = inputs.flatMap(({ path }) => heldBy.get(path) ?? []);
      return { outputs: [model(`/work/c${cycle}/refine_with_ligand.pdb`, [...held, fitted])] };
    },
    polder: [{ metrics: { cc_1_2: 0.59, cc_1_3: 0.93, cc_2_3: 0.55 } }],
  };
};

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
