import type { Session, SessionFile } from '@fleet/contracts/sessions';
import type { DecisionGraph } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import {
  aCatalogue,
  dataFile,
  dictionaryFile,
  mapFile,
  modelFile,
  refinements,
  sequenceFile,
  walkSession,
  type FakeRuns,
} from '@fleet/testing';

/** What a real program leaves in its folder beside the files that are used again. */
const byProducts = (folder: string): readonly SessionFile[] => [
  modelFile(`${folder}/refine_001.cif`),
  dataFile({}, `${folder}/refine_001_reflections.mtz`),
  modelFile(`${folder}/EDITED_model.pdb`),
];

const xray: FakeRuns = {
  xtriage: [{ metrics: { resolution: 1.6, completeness: 99.1, no_twinning_suspected: true, n_residues: 96 } }],
  model_vs_data: [{ metrics: { r_work: 0.29, r_free: 0.3 } }],
  refine: refinements(0.293, 0.237),
  ligandfit: [
    {
      metrics: { ligand_cc: 0.8 },
      outputs: [modelFile('/work/l/ligand_fit_1.pdb', { polymerResidues: 0, ligandCodes: ['NUT'] })],
    },
  ],
  pdbtools: [{ outputs: [modelFile('/work/m/refine_001_001_with_ligand.pdb', { ligandCodes: ['NUT'] })] }],
  polder: [{ metrics: { cc_1_3: 0.9 }, outputs: byProducts('/work/o') }],
};

const cryoem: FakeRuns = {
  mtriage: [{ metrics: { resolution: 2.99 } }],
  map_correlations: [{ metrics: { cc_mask: 0.04 } }],
  dock_in_map: [{ outputs: [modelFile('/work/d/placed_model.pdb')] }],
  real_space_refine: [0.7, 0.75, 0.751].map((map_cc, run) => ({
    metrics: { map_cc, clashscore: 3 },
    outputs: [modelFile(`/work/r${run}/rsr_00${run + 1}_real_space_refined_000.pdb`)],
  })),
};

const halves = ['/data/half_map_1.ccp4', '/data/half_map_2.ccp4'].map(mapFile);

const cases: readonly { readonly inputs: readonly SessionFile[]; readonly runs: FakeRuns }[] = [
  { inputs: [dataFile(), modelFile(), sequenceFile(), dictionaryFile('NUT')], runs: xray },
  { inputs: [dataFile(), modelFile('/data/AF-P12345.pdb', { predicted: true }), sequenceFile()], runs: xray },
  { inputs: [mapFile('/data/full_map.ccp4'), ...halves, modelFile(), sequenceFile()], runs: cryoem },
];

const walked = (graph: DecisionGraph, ruleBook: RuleBook) =>
  Promise.all(cases.map((one) => walkSession({ graph, ruleBook, ...one })));

/** Whole sessions, with their ends. */
export const endedSessions = async (graph: DecisionGraph, ruleBook: RuleBook): Promise<readonly Session[]> =>
  (await walked(graph, ruleBook)).map(({ session, stop }): Session => ({ ...session, status: 'completed', stop }));

/** Sessions at every decision on their way: nine cycles with a ligand, a prediction, a docked model. */
export const decidedSessions = async (graph: DecisionGraph, ruleBook: RuleBook): Promise<readonly Session[]> => {
  return (await walked(graph, ruleBook)).flatMap(({ session }) =>
    session.cycles.map(({ cycle }, index): Session => ({ ...session, cycle, cycles: session.cycles.slice(0, index) })),
  );
};

export const everything = aCatalogue();
