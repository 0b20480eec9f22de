import { dataFile, dictionaryFile, modelFile, refinements } from '@fleet/testing';
import { ends, without, type EndedExample } from './walked-ends';

const data = dataFile();
const ligandfit = {
  metrics: { ligand_cc: 0.9 },
  outputs: [modelFile('/work/l/ligand_fit_1.pdb', { ligandCodes: ['NUT'] })],
};

/** Ends of X-ray sessions with a ligand. */
export const ligandEnds: readonly EndedExample[] = [
  {
    about: 'R-free is too high to fit the ligand',
    end: ends([data, modelFile(), dictionaryFile('NUT')], { refine: refinements(0.4, 0.38, 0.37) }),
  },
  {
    about: 'the fit of the ligand failed',
    end: ends([data, modelFile(), dictionaryFile('NUT')], {
      refine: refinements(0.24),
      ligandfit: [{ fails: 'Sorry: the fit could not be made' }],
    }),
  },
  {
    about: 'no density was found into which the ligand fits',
    end: ends([data, modelFile(), dictionaryFile('NUT')], {
      refine: refinements(0.24),
      ligandfit: [{ fails: 'Sorry: no density for NUT: nowhere' }],
    }),
  },
  {
    about: 'the program that fits ligands is not installed',
    end: ends([data, modelFile(), dictionaryFile('NUT')], { refine: refinements(0.24) }, without('ligandfit')),
  },
  {
    about: 'the fit of ligands was left out',
    end: ends(
      [data, modelFile(), dictionaryFile('NUT')],
      { refine: refinements(0.24) },
      {
        directives: { workflow_preferences: { skip_programs: ['phenix.ligandfit'] } },
      },
    ),
  },
  {
    about: 'the ligand has no density',
    end: ends([data, modelFile(), dictionaryFile('NUT')], {
      refine: refinements(0.24),
      ligandfit: [{ ...ligandfit, metrics: { ligand_cc: 0.56, ligand_atoms: 31, atoms_in_density: 24 } }],
    }),
  },
  {
    about: 'no restraints could be made of a ligand',
    end: ends(
      [data, modelFile()],
      { refine: refinements(0.24), elbow: [{ fails: 'Sorry: the SMILES cannot be read' }] },
      { ligands: [{ smiles: 'CN1C(=O)C=Cc2ccccc12', id: 'LIG' }] },
    ),
  },
  {
    about: 'the program that makes restraints is not installed',
    end: ends([data, modelFile()], { refine: refinements(0.24) }, { ...without('elbow'), ligands: [{ code: 'NDG' }] }),
  },
  {
    about: 'the making of restraints was left out',
    end: ends(
      [data, modelFile()],
      { refine: refinements(0.24) },
      {
        directives: { workflow_preferences: { skip_programs: ['phenix.elbow'] } },
        ligands: [{ code: 'NDG' }],
      },
    ),
  },
  {
    about: 'a component of the model is unknown, and no restraints could be made of it',
    end: ends([data, modelFile('/data/model.pdb', { ligandCodes: ['NDG'] })], {
      refine: [{ fails: 'Fatal problems interpreting model file' }],
      elbow: [{ fails: 'Sorry: the component is not known' }],
    }),
  },
];
