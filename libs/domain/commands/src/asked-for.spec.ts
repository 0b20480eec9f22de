import type { StrategyValue } from '@fleet/contracts/schema';
import type { SessionFile } from '@fleet/contracts/sessions';
import { aCatalogue, aRequest, aSession, dataFile, modelFile, projectRules, sequenceFile } from '@fleet/testing';
import { describeSession } from '@fleet/workflow';
import { buildCommand } from './build-command';
import type { BuiltCommand } from './command-types';

const ruleBook = projectRules();

const build = (
  program: string,
  inputs: readonly SessionFile[],
  strategy: Readonly<Record<string, StrategyValue>>,
): BuiltCommand => {
  const session = aSession({ request: aRequest({ inputs }) });
  const { files, facts } = describeSession({ session, ruleBook, catalogue: aCatalogue() });
  const result = buildCommand({ program: ruleBook.programs[`phenix.${program}`]!, files, facts, strategy });
  if (!result.built) throw new Error(result.why);
  return result.command;
};

describe('scatterers', () => {
  const anomalous = dataFile({ observations: [{ labels: 'I(+),I(-)', kind: 'intensity', anomalous: true }] });
  const autosol = (strategy: Readonly<Record<string, StrategyValue>>): BuiltCommand =>
    build('autosol', [anomalous, sequenceFile()], strategy);

  it('the heavier one is searched for, whatever the order and source of the names, and it is reported', () => {
    const { argv: tokens, adjusted } = autosol({ atom_type: 'S', additional_atom_types: 'Se' });
    expect(tokens).toEqual(expect.arrayContaining(['autosol.atom_type=Se', 'mad_ha_add_list=S']));
    expect(adjusted).toEqual([
      'atom_type=Se and additional_atom_types=S: the substructure is searched with the heavier scatterer',
    ]);
  });

  it.each([
    [{ atom_type: 'Se', additional_atom_types: 'S' }, 'Se', 'S'],
    [{ atom_type: 'S', additional_atom_types: 'Ca Zn' }, 'Zn', '"Ca S"'],
    [{ atom_type: 'TX', additional_atom_types: 'se+S' }, 'se', '"TX S"'],
  ])('of %j: the heaviest is searched for', (strategy, main, others) => {
    expect(autosol(strategy).argv).toEqual(
      expect.arrayContaining([`autosol.atom_type=${main}`, `mad_ha_add_list=${others}`]),
    );
  });

  it.each([
    [{ atom_type: 'Se, S' }, ['autosol.atom_type=Se', 'mad_ha_add_list=S'], 'atom_type=Se and additional_atom_types=S'],
    [{ atom_type: 'S Se', additional_atom_types: 'Zn' }, ['autosol.atom_type=Se', 'mad_ha_add_list="S Zn"']],
    [{ atom_type: 'Se se' }, ['autosol.atom_type=Se'], 'atom_type=Se'],
    [{ atom_type: 'S', additional_atom_types: 'Se SE S s' }, ['autosol.atom_type=Se', 'mad_ha_add_list=S']],
    [{ atom_type: 'Se, Se', additional_atom_types: 'Se' }, ['autosol.atom_type=Se']],
  ])('of %j: each is named once, under its own key', (strategy, tokens, told = 'atom_type=') => {
    const { argv, adjusted } = autosol({ ...strategy, resolution: 2 });
    expect(argv.filter((token) => /atom_type|add_list/.test(token))).toEqual(tokens);
    expect(argv.filter((token) => token.includes('resolution='))).toHaveLength(1);
    expect(adjusted).toHaveLength(1);
    expect(adjusted[0]).toContain(told);
  });

  it('remain as named if the first is the heaviest', () => {
    const { argv, adjusted } = autosol({ atom_type: 'Se', additional_atom_types: 'S' });
    expect(argv).toEqual(expect.arrayContaining(['autosol.atom_type=Se', 'mad_ha_add_list=S']));
    expect(adjusted).toEqual([]);
  });

  it('that are added to none remain as they are', () => {
    const { argv, adjusted } = autosol({ additional_atom_types: 'S' });
    expect(argv).toContain('mad_ha_add_list=S');
    expect(adjusted).toEqual([]);
  });

  it('that are not elements are refused', () => {
    const { argv: tokens, rejected } = autosol({ atom_type: 'unobtainium', additional_atom_types: 'nonsense' });
    expect(tokens.join(' ')).not.toMatch(/unobtainium|nonsense/);
    expect(rejected.map(({ key }) => key)).toEqual(['atom_type', 'additional_atom_types']);
  });

  it('a single one remains the one that is searched for', () => {
    expect(autosol({ atom_type: 'S' }).adjusted).toEqual([]);
  });
});

describe('the keys of refinement that directives name', () => {
  it.each([
    ['tls', 'refinement.refine.strategy=individual_sites+individual_sites_real_space+individual_adp+occupancies+tls'],
    ['ncs', 'refinement.pdb_interpretation.ncs_search.enabled=True'],
    ['riding_hydrogens', 'refinement.hydrogens.refine=riding'],
    ['add_waters', 'ordered_solvent=True'],
    ['refinement.main.nproc', undefined],
  ])('%s', (key, token) => {
    const command = build('refine', [dataFile(), modelFile()], { [key]: true });
    if (token === undefined) expect(command.rejected).toEqual([{ key, why: 'must be a whole number from 1 to 64' }]);
    else expect(command.argv).toContain(token);
  });

  it("the program's own name of a parameter does too", () => {
    const command = build('refine', [dataFile(), modelFile()], { 'refinement.main.nproc': 3 });
    expect(command.argv).toContain('refinement.main.nproc=3');
  });
});
