import type { DecisionRecord, Session } from '@fleet/contracts/sessions';
import {
  aCycle,
  aDecision,
  aRequest,
  aResult,
  aSession,
  dataFile,
  modelFile,
  projectRules,
  sequenceFile,
} from '@fleet/testing';
import { problemWithCommand, problemWithLaunch } from './index';

const ruleBook = projectRules();

const files = [dataFile(), modelFile(), sequenceFile()];
const command = ['phenix.polder', '/data/data.mtz', '/data/model.pdb'];

describe('the problem of a command', () => {
  const problemWith = (argv: readonly string[]): string | undefined =>
    problemWithCommand(argv, ruleBook.programs['phenix.polder']!, files);

  it.each([
    [[]],
    [['selection=all']],
    [['selection="resname MES and chain A"', 'xray_data.high_resolution=2.1']],
    [[`selection="name O5'"`]],
  ])('is undefined for files of the session and parameters of the program: %j', (more) => {
    expect(problemWith([...command, ...more])).toBeUndefined();
  });

  it('is another program, or none', () => {
    expect(problemWith(['phenix.refine', '/data/data.mtz'])).toBe('it starts "phenix.refine" and not phenix.polder');
    expect(problemWith([])).toBe('it starts "" and not phenix.polder');
  });

  it.each(['/etc/passwd', '/data/seq.fasta', 'output.prefix=x', 'selection', 'x.selection=all'])(
    'is an argument that is neither a file nor a parameter: %s',
    (token) => {
      expect(problemWith([...command, token])).toBe(
        `its argument "${token}" is neither a file of this session that phenix.polder takes nor a parameter of it`,
      );
    },
  );

  it.each([
    ['xray_data.high_resolution=200', 'resolution'],
    ['xray_data.high_resolution=02', 'resolution'],
    ['xray_data.high_resolution=two', 'resolution'],
    ['xray_data.high_resolution=', 'resolution'],
    ['selection="resname MES', 'selection'],
    ['selection="', 'selection'],
    ['selection=resname MES', 'selection'],
    ['selection="all"', 'selection'],
    ['miller_array.labels.name=/etc/passwd', 'obs_labels'],
  ])('is a value of the wrong type, or with another notation: %s', (token, key) => {
    const problem = problemWith([...command, token]);
    expect(problem).toContain(`its argument ${JSON.stringify(token)} sets ${key}, which must be `);
  });

  it('is a repeated parameter', () => {
    expect(problemWith([...command, 'selection=all', 'selection=water'])).toBe('it sets selection twice');
  });

  it('contains the argument, cut to 120 characters', () => {
    const problem = problemWith([...command, `/${'x'.repeat(200)}`])!;
    expect(/its argument (".*") is/.exec(problem)?.[1]).toBe(`"/${'x'.repeat(115)}..."`);
    expect(problemWith([...command, `/${'x'.repeat(117)}`])).toContain(`"/${'x'.repeat(117)}"`);
  });
});

describe('the problem of a launch', () => {
  const made = modelFile('/work/p/mx1/S/c001-refine/a1/refine_001.pdb');
  const launchOf = (decision: Partial<DecisionRecord> = {}, changes: Partial<Session> = {}): string | undefined => {
    const request = { ...aRequest({ inputs: files }), proposal: 'mx1' };
    const session = aSession({ id: 'S', folder: '/work/p/mx1/S', request, ...changes });
    const inputs = [{ slot: 'data', path: '/data/data.mtz' }];
    const decided = aDecision({ program: 'phenix.polder', argv: command, inputs, ...decision });
    return problemWithLaunch(session, aCycle({ decision: decided }), ruleBook);
  };

  it('is undefined for a record of this service', () => {
    expect(launchOf()).toBeUndefined();
  });

  it.each(['phenix.nonsense', 'toString'])('is an unknown program: %s', (program) => {
    expect(launchOf({ program })).toBe(`the knowledge here does not describe "${program}"`);
  });

  it.each([
    '/elsewhere/S',
    '/work/p/mx1/S/../T/mx1/S',
    '/work/p/mx1/T',
    '/work/p/mx1',
    '/work/victim/S',
    '/work/p/mx1/S/..',
  ])("is a folder that is not the session's: %s", (folder) => {
    expect(launchOf({}, { folder })).toBe(`"${folder}" is not the folder of session S`);
  });

  it.each([
    ['LIG.smi', undefined],
    ['XYZ.smi', '"XYZ.smi" is not a ligand of this session'],
    ['../LIG.smi', '"../LIG.smi" is not a ligand of this session'],
  ])('is a SMILES file of an unknown ligand: %s', (name, problem) => {
    const argv = ['phenix.elbow', `--smiles=${name}`, '--id=LIG', '--output=LIG'];
    const request = { ...aRequest({ inputs: files, ligands: [{ smiles: 'CCO', id: 'LIG' }] }), proposal: 'mx1' };
    expect(launchOf({ program: 'phenix.elbow', argv, inputs: [] }, { request })).toBe(problem);
  });

  it('is SMILES in the command itself', () => {
    const argv = ['phenix.elbow', '--smiles=CCO', '--id=LIG', '--output=LIG'];
    expect(launchOf({ program: 'phenix.elbow', argv, inputs: [] })).toBe('"CCO" is not a ligand of this session');
  });

  it('is an input that is not of the session', () => {
    expect(launchOf({ inputs: [{ slot: 'data', path: '/etc/passwd' }] })).toBe(
      'its input "/etc/passwd" is not a file of this session',
    );
  });

  const launchWith = (path: string): string | undefined => {
    const outputs = [{ ...made, path, cycle: 1, program: 'phenix.refine' }];
    const argv = ['phenix.polder', '/data/data.mtz', path];
    const cycles = [aCycle({ cycle: 1, result: aResult({ outputs }) })];
    return launchOf({ argv, inputs: [{ slot: 'model', path }] }, { cycle: 2, cycles });
  };

  it('is not output in the folder of the session', () => {
    expect(launchWith(made.path)).toBeUndefined();
  });

  it.each([
    '/work/p/mx1/T/c001-refine/a1/refine_001.pdb',
    '/work/p/mx1/S/../T/refine_001.pdb',
    '/work/p/mx1/S-victim/a.pdb',
  ])('is an output outside the folder of the session: %s', (path) => {
    expect(launchWith(path)).toBe(`its input "${path}" is not a file of this session`);
  });
});
