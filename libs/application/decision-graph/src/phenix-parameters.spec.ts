import { argvOf, dataFile, dictionaryFile, modelFile, sequenceFile, usualRuns, walkBench } from '@fleet/testing';

/** Commands in the form that PHENIX 1.21 and 2.0 accept. Each was once written in a form that they reject. */
const bench = walkBench({
  installed: 'all',
  runs: {
    ...usualRuns,
    xtriage: [{ metrics: { resolution: 1.8, anomalous_measurability: 0.12 } }],
    phaser: [{ metrics: { tfz: 15 }, outputs: [modelFile('/work/p/PHASER.1.pdb')] }],
  },
});
const template = [dataFile(), modelFile('/data/template.pdb')];

describe('the parameters of molecular replacement', () => {
  it('names no root: PHASER is the default, and phenix.phaser has no parameter phaser.root', async () => {
    const walked = await bench.walk(template, {});
    expect(argvOf(walked, 'phaser').join(' ')).not.toContain('root');
  });

  it.each(['Not specified', 'not specified', 'Unknown', 'automatic', 'Best guess', 'None', 'N/A'])(
    'an invalid space group "%s" in a log is never used in a command',
    async (space_group) => {
      const walked = await bench.walk(template, {
        phaser: [{ metrics: { tfz: 15, space_group }, outputs: [modelFile('/work/p/PHASER.1.pdb')] }],
      });
      expect(argvOf(walked, 'refine').join(' ')).not.toContain('space_group');
    },
  );
});

describe('experimental phasing', () => {
  const anomalous = dataFile({ observations: [{ labels: 'I(+),I(-)', kind: 'intensity', anomalous: true }] });

  it.each([
    ['Se, S', 'autosol.atom_type=Se', 'mad_ha_add_list=S'],
    ['S+Se', 'autosol.atom_type=Se', 'mad_ha_add_list=S'],
    ['S Ca Zn', 'autosol.atom_type=Zn', 'mad_ha_add_list="Ca S"'],
  ])('the scatterers %s: the main one in atom_type, the others in mad_ha_add_list', async (atom_type, ...tokens) => {
    const walked = await bench.walk(
      [anomalous, sequenceFile()],
      {},
      {
        directives: {
          stop_conditions: { after_program: 'phenix.autosol' },
          program_settings: { 'phenix.autosol': { atom_type } },
        },
      },
    );
    expect(argvOf(walked, 'autosol')).toEqual(expect.arrayContaining(tokens));
  });
});

describe('an unidentified ligand', () => {
  it('is omitted by its selection, not by the placeholder code for unknown ligands', async () => {
    const dictionary = dictionaryFile('UNL');
    const walked = await bench.walk([dataFile(), modelFile(), dictionary], {
      ligandfit: [
        {
          metrics: { ligand_cc: 0.85 },
          outputs: [modelFile('/work/l/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['UNL'] })],
        },
      ],
      pdbtools: [{ outputs: [modelFile('/work/t/model_with_ligand.pdb', { ligandCodes: ['UNL'] })] }],
    });
    expect(argvOf(walked, 'polder')).toContain('selection="hetero and not water"');
  });
});
