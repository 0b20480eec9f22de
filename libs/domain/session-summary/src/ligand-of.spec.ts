import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CycleRecord } from '@fleet/contracts/sessions';
import { parseRuleBook, type RuleBook } from '@fleet/knowledge-model';
import { aCycle, aDecision, aFile, aResult, aSession } from '@fleet/testing';
import { ligandOf } from './index';

const knowledge = (): RuleBook => {
  const names = readdirSync('knowledge', { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.(yaml|schema\.json)$/.test(name));
  return parseRuleBook(files.map((path) => ({ path, text: readFileSync(join('knowledge', path), 'utf8') })));
};
const ruleBook = knowledge();

const step = (cycle: number, program: string, metrics: Record<string, number | string> = {}): CycleRecord => {
  const restraints = { format: 'restraints', restraints: { codes: ['NUT'] } } as const;
  const facts = program === 'phenix.ligandfit' ? restraints : ({ format: 'pdb' } as const);
  const outputs = [aFile({ path: `/work/c${String(cycle)}/out.pdb`, cycle, program, facts })];
  return aCycle({ cycle, decision: aDecision({ program, inputs: [] }), result: aResult({ metrics, outputs }) });
};
const dictionary = aFile({ path: '/data/NUT.cif', facts: { format: 'restraints', restraints: { codes: ['NUT'] } } });
const failed = (line: string, cycle = 2): CycleRecord =>
  aCycle({
    cycle,
    decision: aDecision({ program: 'phenix.ligandfit', inputs: [{ slot: 'ligand', path: dictionary.path }] }),
    result: aResult({ outcome: 'failed', errorLines: [line] }),
  });
const ligandIn = (...cycles: readonly CycleRecord[]): ReturnType<typeof ligandOf> =>
  ligandOf(aSession({ cycles, request: { ...aSession().request, inputs: [dictionary] } }), ruleBook);

describe('ligandOf', () => {
  const fit = step(2, 'phenix.ligandfit', { ligand_cc: 0.86, ligand_atoms: 40, atoms_in_density: 38 });
  const merge = step(3, 'phenix.pdbtools');
  const refined = [step(4, 'phenix.refine', { r_free: 0.21 }), step(5, 'phenix.polder', { cc_1_3: 0.91 })];

  it('combines the metrics of the fit and the omit map for a ligand in the model', () => {
    expect(ligandIn(step(1, 'phenix.refine', { r_free: 0.24 }), fit, merge, ...refined)).toEqual({
      inModel: true,
      code: 'NUT',
      cc: 0.86,
      atoms: 40,
      atomsInDensity: 38,
      omitCc: 0.91,
    });
  });

  it('states that a fit that is not merged, or has no evidence, is not in the model', () => {
    expect(ligandIn(fit)).toMatchObject({ inModel: false, cc: 0.86 });
    const poor = step(2, 'phenix.ligandfit', { ligand_cc: 0.41 });
    expect(ligandIn(poor)).toEqual({ inModel: false, code: 'NUT', cc: 0.41 });
    const denied = step(5, 'phenix.polder', { cc_1_3: 0.55 });
    expect(ligandIn(fit, merge, step(4, 'phenix.refine'), denied)).toMatchObject({ inModel: false, omitCc: 0.55 });
  });

  it('selects the best of several fits that are in the model', () => {
    const second = step(6, 'phenix.ligandfit', { ligand_cc: 0.95, ligand_atoms: 40, atoms_in_density: 12 });
    expect(ligandIn(fit, merge, ...refined, second)).toMatchObject({ inModel: true, cc: 0.86 });
  });

  it('states that a ligand without density is not in the model', () => {
    expect(ligandIn(failed('There is no density outside of the model into which the ligand fits.'))).toEqual({
      inModel: false,
      code: 'NUT',
    });
    const secondCopy = failed('no density', 6);
    expect(ligandIn(fit, merge, ...refined, secondCopy)).toMatchObject({ inModel: true, cc: 0.86 });
  });

  it('is undefined before the first fit, and after one that failed for another reason', () => {
    expect(ligandIn(step(1, 'phenix.refine', { r_free: 0.24 }))).toBeUndefined();
    expect(ligandIn(failed('Segmentation fault'))).toBeUndefined();
  });
});
