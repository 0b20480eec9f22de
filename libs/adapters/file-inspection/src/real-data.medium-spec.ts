import { join } from 'node:path';
import { GemmiFileInspector } from './index';

const inspector = new GemmiFileInspector();
afterAll(() => inspector.onApplicationShutdown());

const dataFolder = (): string => {
  const folder = process.env.PHENIX_FLEET_TEST_DATA;
  if (folder === undefined || folder === '') throw new Error('PHENIX_FLEET_TEST_DATA is not set');
  return folder;
};

/** Content of the files according to their README and mtzdump. */
it.each([
  [
    '5a3h/5a3h.mtz',
    {
      cell: [54.71, 69.57, 77.04, 90, 90, 90],
      mtz: { reflections: 27934, highResolution: 1.7984, freeFlag: 'FreeR_flag', observations: [{ labels: 'F,SIGF' }] },
    },
  ],
  [
    'il1b_1l2h_twin/1l2h.mtz',
    { spaceGroup: 'P 43', mtz: { observations: [{ labels: 'IMEAN,SIGIMEAN', kind: 'intensity', anomalous: false }] } },
  ],
  [
    'synth_sad_semet_cel5a/sad_strong.mtz',
    { mtz: { observations: [{ kind: 'intensity', anomalous: true }], highResolution: 2.2 } },
  ],
  [
    'tiny_5e5z/5e5z.mtz',
    { spaceGroup: 'P 1 21 1', mtz: { reflections: 441, observations: [{ labels: 'FP,SIGFP' }, { labels: 'I,SIGI' }] } },
  ],
  ['tiny_5e5z/5e5z.pdb', { model: { atoms: 47, polymerResidues: 6, predicted: false } }],
  ['rnase_sa/rnase_sa_tutorial_start.pdb', { model: { atoms: 1465, chains: ['A', 'B'], waters: 0 } }],
  ['5a3h/5a3h_no_ligand.pdb', { model: { atoms: 2742, waters: 348, ligandCodes: [] } }],
  ['5a3h/G2F.cif', { format: 'restraints', restraints: { codes: ['G2F'] } }],
  ['synth_sad_semet_cel5a/se_sites.pdb', { model: { atoms: 8, polymerResidues: 0, ligandCodes: [] } }],
  [
    'synth_cryoem_rnase_3A/half_map_1.ccp4',
    { cell: [56, 56, 56, 90, 90, 90], map: { grid: [64, 64, 64], mode: 2, voxel: 0.875 } },
  ],
  ['synth_cryoem_rnase_3A/seq.fasta', { sequence: { chains: 1, residues: 93 } }],
])('reads the content of %s', async (path, expected) => {
  const { facts } = await inspector.inspect(join(dataFolder(), path), { cycle: 0 });
  expect(facts).toMatchObject(expected);
});
