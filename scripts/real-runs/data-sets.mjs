// The real datasets of scripts/real-runs/results.md: unchanged, and made harder as users' data often are.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { layOut } from '../setup/demo-data.mjs';
import { movedModel } from '../setup/move-model.mjs';
import { openProgramsDirectory } from '../setup/paths.mjs';
import { brought } from './brought-data.mjs';
import { after, firstChain, homologueOf, partOf, upTo } from './edited-models.mjs';

const read = (file) => fs.readFileSync(file, 'latin1');

/** Paths of data and models, and functions that write changed ones to the work folder. */
class Ground {
  constructor(data, work) {
    this.data = data;
    this.work = work;
  }

  at(...parts) {
    return path.join(this.data, ...parts);
  }

  in(name) {
    const file = path.join(this.work, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    return file;
  }

  made(name, text) {
    const file = this.in(name);
    fs.writeFileSync(file, text, 'latin1');
    return file;
  }

  mtz(name, source, ...changes) {
    const program = fileURLToPath(new URL('change_mtz.py', import.meta.url));
    const target = this.in(name);
    execFileSync(path.join(openProgramsDirectory, 'venv/bin/python'), [program, source, target, ...changes]);
    return target;
  }

  /** A ligand of Coot's monomer library, which comes with the open programs. */
  ligand(code) {
    const environment = path.join(openProgramsDirectory, 'venv/lib');
    const [python] = fs.readdirSync(environment);
    const library = 'site-packages/coot_headless_api/share/coot/lib/data/monomers';
    const source = path.join(environment, python, library, code[0].toLowerCase(), `${code}.cif`);
    return this.made(`${code}/${code}.cif`, read(source));
  }

  /** Files of a demo dataset, by name. */
  async demo(name, run) {
    const files = await layOut(name, path.join(this.work, run));
    return Object.fromEntries(files.map((file) => [path.basename(file), file]));
  }
}

const asTheyAre = (ground) => ({
  nutlin: {
    what: 'MDM2 with nutlin-3a, ligand not yet built',
    reference: '0.294/0.293 → 0.224/0.237; polder CC(1,3) 0.92',
    files: () => layOut('nutlin', path.join(ground.work, 'nutlin')),
  },
  lysozyme: {
    what: 'lysozyme, model turned 60° and moved 25 Å',
    reference: 'TFZ 9.9; 0.304/0.331 → 0.262/0.315',
    files: () => layOut('lysozyme', path.join(ground.work, 'lysozyme')),
  },
  tiny_5e5z: {
    what: 'peptide of 47 atoms, 441 reflections',
    reference: '0.339/0.335 (shaken) → 0.193/0.222',
    files: () => [ground.at('tiny_5e5z/5e5z.mtz'), ground.at('tiny_5e5z/5e5z.pdb')],
  },
  rnase_sa: {
    what: 'RNase Sa, placed, no waters',
    reference: 'start 0.258/0.291',
    files: () => [ground.at('rnase_sa/rnase_sa.mtz'), ground.at('rnase_sa/rnase_sa_tutorial_start.pdb')],
  },
  rnase_sa_one_chain: {
    what: 'RNase Sa from one chain, turned and moved: two copies to be placed',
    reference: 'TFZ 8.6, then 18.1; CC 0.617 at 3 Å',
    files: () => [
      ground.at('rnase_sa/rnase_sa.mtz'),
      ground.made(
        'rnase_sa_one_chain/chain_a.pdb',
        movedModel(firstChain(read(ground.at('rnase_sa/rnase_sa_tutorial_start.pdb')))),
      ),
    ],
  },
  '5a3h': {
    what: 'Cel5A, perturbed start',
    reference: '0.390/0.383 → 0.151/0.199',
    files: () => [ground.at('5a3h/5a3h.mtz'), ground.at('5a3h/5a3h_start_perturbed.pdb')],
  },
  il1b_1l2h_twin: {
    what: 'interleukin-1β mutant, twinned h,-k,-l',
    reference: '0.138/0.162, twin fraction 0.336',
    files: () => [ground.at('il1b_1l2h_twin/1l2h.mtz'), ground.at('il1b_1l2h_twin/1l2h.pdb')],
  },
  fragment_absent: {
    what: 'a crystal, and the dictionary of a fragment that is not in it',
    reference: '0.166/0.218 without waters; no density for LIG',
    files: () =>
      ['gamma_native.mtz', 'gamma.pdb', 'LIG.cif'].map((name) => ground.at('unseen_2026/fragment_absent', name)),
  },
  mem_5edl_sf: {
    what: "the archive's structure-factor CIF with two arrays, no model of the ligands",
    reference: 'deposited 0.195/0.218',
    files: () => ['5edl-sf.cif', '5edl_apo.pdb'].map((name) => ground.at('unseen_2026/mem_5edl_sf', name)),
  },
});

const cryoem = (ground) => {
  const maps = ['full_map.ccp4', 'half_map_1.ccp4', 'half_map_2.ccp4'].map((name) =>
    ground.at('synth_cryoem_rnase_3A', name),
  );
  const model = ground.at('synth_cryoem_rnase_3A/start_shaken.pdb');
  return {
    cryoem_shaken: {
      what: 'synthetic half maps, 3 Å, model shaken by 0.8 Å',
      reference: 'CC_mask 0.778 → 0.884; FSCaverage 0.952',
      files: () => [...maps, model],
    },
    cryoem_moved: {
      what: 'the same, model turned 60° and moved 25 Å out of the map',
      reference: 'docked, then FSCaverage 0.948',
      files: () => [...maps, ground.made('cryoem_moved/moved.pdb', movedModel(read(model)))],
    },
  };
};

/** Lysozyme (126 residues) as two disjoint models, each rotated and translated. */
const lysozymeParts = async (ground, run) => {
  const files = await ground.demo('lysozyme', run);
  const whole = read(files['moved_model.pdb']);
  return {
    data: files['data.mtz'],
    first: ground.made(`${run}/residues_1_to_84.pdb`, movedModel(partOf(whole, upTo(84)))),
    second: ground.made(`${run}/residues_85_to_126.pdb`, movedModel(partOf(whole, after(84)))),
  };
};

const hardToPlace = (ground) => ({
  lysozyme_two_files: {
    what: 'lysozyme cut into two models of 84 and 42 residues, each turned and moved, the large one first',
    must: 'with both placed, or say which is not',
    files: async () => {
      const { data, first, second } = await lysozymeParts(ground, 'lysozyme_two_files');
      return [data, first, second];
    },
  },
  lysozyme_two_files_swapped: {
    what: 'the same, the small one first',
    must: 'as the one before it',
    files: async () => {
      const { data, first, second } = await lysozymeParts(ground, 'lysozyme_two_files_swapped');
      return [data, second, first];
    },
  },
  nutlin_wrong_hand: {
    what: 'MDM2, its data labelled P 61 2 2 in place of P 65 2 2, its model turned and moved',
    must: 'in P 65 2 2',
    files: async () => {
      const files = await ground.demo('nutlin', 'nutlin_wrong_hand');
      const mtz = ground.mtz('nutlin_wrong_hand/p6122.mtz', files['data.mtz'], '--space-group', 'P 61 2 2');
      return [mtz, ground.made('nutlin_wrong_hand/moved.pdb', movedModel(read(files['model.pdb'])))];
    },
  },
});

const hardToJudge = (ground) => ({
  nutlin_foreign_ligand: {
    what: 'MDM2 with the dictionary of ATP, which is not in the crystal',
    must: 'without ATP, and say so',
    files: async () => {
      const files = await ground.demo('nutlin', 'nutlin_foreign_ligand');
      return [files['data.mtz'], files['model.pdb'], ground.ligand('ATP')];
    },
  },
  foreign_model: {
    what: 'the data of Cel5A with a model of RNase Sa',
    must: 'as no success',
    files: () => [
      ground.at('5a3h/5a3h.mtz'),
      ground.made('foreign_model/rnase.pdb', firstChain(read(ground.at('rnase_sa/rnase_sa_tutorial_start.pdb')))),
    ],
  },
  cut_model: {
    what: 'Cel5A with the first 160 of its 300 residues',
    must: 'unsatisfactory, and say that half of it is missing',
    files: () => [
      ground.at('5a3h/5a3h.mtz'),
      ground.made('cut_model/residues_to_160.pdb', partOf(read(ground.at('5a3h/5a3h_no_ligand.pdb')), upTo(160))),
    ],
  },
  low_resolution: {
    what: 'a good model of Cel5A against its data to 3.0 Å',
    must: 'with a geometry no worse than it came',
    args: ['--set', 'resolution=3.0'],
    files: () => [ground.at('5a3h/5a3h.mtz'), ground.at('5a3h/5a3h_no_ligand.pdb')],
  },
  no_free_flags: {
    what: 'RNase Sa without free flags',
    must: 'with one free set for all refinements',
    files: () => [
      ground.mtz('no_free_flags/data.mtz', ground.at('rnase_sa/rnase_sa.mtz'), '--without', 'FreeR_flag'),
      ground.at('rnase_sa/rnase_sa_tutorial_start.pdb'),
    ],
  },
});

const toBeRebuilt = (ground) => ({
  rnase_sa_homologue: {
    what: 'RNase Sa with the sequence, from a model with 62 % of its residue types, four loops missing, each coordinate off by up to 0.5 Å',
    must: 'rebuilt, far below the 0.37 of refinement',
    files: () => [
      ground.at('rnase_sa/rnase_sa.mtz'),
      ground.at('synth_native_rnase/seq.fasta'),
      ground.made(
        'rnase_sa_homologue/placed.pdb',
        homologueOf(read(ground.at('rnase_sa/rnase_sa_tutorial_start.pdb')), [
          ['A', 27, 30],
          ['A', 60, 65],
          ['B', 60, 65],
          ['B', 72, 76],
        ]),
      ),
    ],
  },
});

/** Advice in users' words, on the smallest data. */
const advised = (ground) => {
  const tiny = () => [ground.at('tiny_5e5z/5e5z.mtz'), ground.at('tiny_5e5z/5e5z.pdb')];
  const saying = (words, must) => ({
    what: `the data of tiny_5e5z, with the advice "${words}"`,
    must,
    args: ['--advice', words],
    files: tiny,
  });
  const folder = path.join(ground.work, 'advised_by_readme');
  return {
    advised_refine_twice: {
      ...saying('refine twice and stop', 'after two refinements at most, without validation'),
      what: 'the data of rnase_sa, with the advice "refine twice and stop"',
      files: () => [ground.at('rnase_sa/rnase_sa.mtz'), ground.at('rnase_sa/rnase_sa_tutorial_start.pdb')],
    },
    advised_xtriage: saying('just run xtriage', 'after xtriage'),
    advised_resolution: saying('use 2.0 Å and skip validation', 'refined to 2.0 Å, without validation'),
    advised_by_readme: {
      what: 'the data of tiny_5e5z in a folder whose README.txt says "Refine once, then run polder on residue 4 and stop."',
      must: 'as the README says',
      args: ['--input-directory', folder],
      files: () => {
        for (const file of tiny()) fs.copyFileSync(file, ground.in(`advised_by_readme/${path.basename(file)}`));
        ground.made('advised_by_readme/README.txt', 'Refine once, then run polder on residue 4 and stop.\n');
        return [];
      },
    },
  };
};

/**
 * Each run: its purpose, the reference values or the required outcome, and its files.
 * @param data folder with the datasets
 * @param work folder for files that are changed first
 */
/** Fragments of a screen: no dictionary, only the SMILES of the order. */
const fragments = (ground) => {
  const folder = (name) => ground.at('unseen_2026/baz2b_x839', name);
  const expected = 'R-free about 0.20 to 0.22, the fragment beside Asn 1944 with CC above 0.8';
  return {
    baz2b_x839_smiles: {
      what: 'BAZ2B with a fragment as SMILES, in place of its dictionary; the model without its waters, some of which lie in the pocket',
      reference: expected,
      args: ['--smiles', 'CN1C(=O)C=Cc2ccccc12 LIG'],
      files: () => [
        folder('x839.mtz'),
        ground.made(
          'baz2b/BAZ2B_dry.pdb',
          partOf(read(folder('BAZ2B.pdb')), () => true),
        ),
        folder('baz2b.pir'),
      ],
    },
  };
};

export const dataSets = (data, work) => {
  const ground = new Ground(data, work);
  return {
    ...asTheyAre(ground),
    ...cryoem(ground),
    ...hardToPlace(ground),
    ...hardToJudge(ground),
    ...toBeRebuilt(ground),
    ...brought(ground),
    ...advised(ground),
    ...fragments(ground),
  };
};
