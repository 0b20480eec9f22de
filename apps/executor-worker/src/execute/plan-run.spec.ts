import type { Session } from '@fleet/contracts/sessions';
import { compoundParameter } from '@fleet/knowledge-model';
import { aCycle, aDecision, aFile, aRequest, aSession, projectRules } from '@fleet/testing';
import { planRun } from './plan-run';

const data = aFile({ path: '/data/data.mtz', facts: { format: 'mtz' } });
const models = ['/data/back.pdb', '/data/front.pdb'].map((path) => aFile({ path, facts: { format: 'pdb' } }));
const session = aSession({ folder: '/work/mx1/abc', request: aRequest({ inputs: [data, ...models] }) });
const installed = {
  program: 'phenix.phaser',
  provider: 'phenix',
  version: '2.0',
  command: ['/opt/phenix/bin/phenix.phaser'],
} as const;

const { programs } = projectRules();

const planOf = (of: Session, ...tokens: readonly string[]) => {
  const inputs = [data, ...models].map(({ path }) => ({ slot: 'any', path }));
  const decision = aDecision({ program: 'phenix.phaser', argv: ['phenix.phaser', data.path, ...tokens], inputs });
  return planRun(of, aCycle({ decision }), installed, {
    memory: { machineMiB: 8000 },
    gpus: false,
    ofProgram: (program) => programs[program]?.resources,
    parameterFileOf: (program) => programs[program]?.parameter_file,
    logBytes: 1000,
    inputRoots: ['/data'],
  });
};

it('passes SMILES in a file, so that no argument contains them', () => {
  const request = aRequest({ ligands: [{ code: 'NAG' }, { smiles: 'CN1C(=O)C=Cc2ccccc12', id: 'LIG' }] });
  const decision = aDecision({
    program: 'phenix.elbow',
    argv: ['phenix.elbow', '--smiles=LIG.smi', '--id=LIG', '--output=LIG'],
    inputs: [],
  });
  const kit = { ...installed, program: 'phenix.elbow', command: ['/kit/python', '-m', 'open_phenix'] };
  const spec = planRun({ ...session, request }, aCycle({ decision }), kit, {
    memory: { machineMiB: 8000 },
    gpus: false,
    ofProgram: (program) => programs[program]?.resources,
    compoundParameterOf: (program) => compoundParameter(programs[program]),
    logBytes: 1000,
  });
  expect(spec.compoundFile).toEqual({ argument: 3, flag: '--smiles', name: 'LIG.smi', smiles: 'CN1C(=O)C=Cc2ccccc12' });
  expect(spec.argv.slice(2)).toEqual(['open_phenix', '--smiles=LIG.smi', '--id=LIG', '--output=LIG']);
});

const planned = (...tokens: readonly string[]) => planOf(session, ...tokens);

it('passes the components of one search to phaser in a parameter file', () => {
  const spec = planned(...models.map(({ path }) => `phaser.ensemble.coordinates.pdb=${path}`));
  expect(spec.parameterFile).toMatchObject({ name: 'components.eff', flag: 'phaser.ensemble.coordinates.pdb' });
  expect(spec.inputs?.map(({ argument, flag, name }) => [argument, flag, name])).toEqual([
    [1, undefined, '1/data.mtz'],
    [2, 'phaser.ensemble.coordinates.pdb', '2/back.pdb'],
    [3, 'phaser.ensemble.coordinates.pdb', '3/front.pdb'],
  ]);
});

it('uses no parameter file for a search with one model', () => {
  expect(planned('/data/back.pdb', 'phaser.search_copies=2').parameterFile).toBeUndefined();
});

it('contains the trace id of its session, if there is one', () => {
  const traceId = 'a'.repeat(32);
  const request = aRequest({ inputs: [data, ...models], traceparent: `00-${traceId}-${'b'.repeat(16)}-01` });
  expect(planOf({ ...session, request }, '/data/back.pdb').owner.traceId).toBe(traceId);
  expect(planned('/data/back.pdb').owner).not.toHaveProperty('traceId');
});
