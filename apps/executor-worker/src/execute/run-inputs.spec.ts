import { aCycle, aDecision, aFile, aRequest, aResult, aSession } from '@fleet/testing';
import { runInputs, sequencesOf, simulatedAnswers } from './run-inputs';

const pin = { inode: '7', size: 10, modified: '1', sha256: 'ab' };
const data = aFile({ path: '/data/visit/data.mtz', pin, facts: { format: 'mtz' } });
const session = aSession({ folder: '/work/mx1/abc', request: aRequest({ inputs: [data] }) });
const model = aFile({ path: '/work/mx1/abc/c001-phaser/a1/PHASER.1.pdb', cycle: 1, facts: { format: 'pdb' } });
const solved = { ...session, cycles: [aCycle({ result: aResult({ outputs: [model] }) })] };

const inputsOf = (roots: readonly string[], ...paths: readonly string[]) => {
  const decision = aDecision({
    argv: ['phenix.refine', ...paths],
    inputs: paths.map((path) => ({ slot: 'any', path })),
  });
  return runInputs(solved, aCycle({ cycle: 2, decision }), 2, roots);
};

it('contain the source of each file, and its pin', () => {
  expect(inputsOf(['/data', '/data/visit', '/work'], data.path, model.path)).toEqual([
    { argument: 3, path: data.path, root: '/data/visit', name: '1/data.mtz', pin },
    { argument: 4, path: model.path, root: '/work/mx1/abc', name: '2/PHASER.1.pdb' },
  ]);
});

it('contain no root for a file outside all of them, also if a name only begins like one', () => {
  expect(inputsOf(['/dat', '/data/vis'], data.path)).toEqual([
    { argument: 3, path: data.path, name: '1/data.mtz', pin },
  ]);
});

it('contain the answer beside a sequence, for stand-ins', () => {
  const sequence = aFile({ path: '/data/visit/my seq.fasta', facts: { format: 'sequence' } });
  const submitted = aSession({ folder: '/work/mx1/abc', request: aRequest({ inputs: [data, sequence] }) });
  const decision = aDecision({
    argv: ['phenix.predict_and_build', `input_files.seq_file=${sequence.path}`, data.path],
    inputs: [sequence, data].map(({ path }) => ({ slot: 'any', path })),
  });
  const taken = runInputs(submitted, aCycle({ decision }), 0, ['/data']);
  const [copy] = taken.filter(({ path }) => path === sequence.path);
  expect(simulatedAnswers(taken, sequencesOf(submitted))).toEqual([
    { path: '/data/visit/my seq.simulated.pdb', root: '/data', name: copy!.name.replace('.fasta', '.simulated.pdb') },
  ]);
});
