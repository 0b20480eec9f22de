import type { ResultsView, SessionFile, SessionView } from '@fleet/contracts/sessions';
import { isSimulated } from '@fleet/session-report';
import { bytesText } from '@fleet/session-report';
import { sceneTexts } from '../../../texts/scene';
import { limits } from './limits';

/** A file to draw, and its URL. */
export interface SceneFile {
  readonly file: SessionFile;
  readonly href: string;
  /** Absent if it was submitted. */
  readonly program?: string;
  readonly simulated: boolean;
}

/** The files to draw, or why there are none, as a sentence. */
export interface SceneFiles {
  readonly model?: SceneFile;
  readonly map?: SceneFile;
  readonly problems: readonly string[];
}

/** Undefined if there is none; a submitted file without a pin is not served. */
type FoundFile = { readonly file: SceneFile } | 'unserved' | undefined;

const submittedOf = ({ request: { inputs } }: SessionView, path: string, href: string | undefined): FoundFile => {
  const file = inputs.find((input) => input.path === path);
  if (file === undefined) return undefined;
  return href === undefined ? 'unserved' : { file: { file, href, simulated: false } };
};

const bestOf = (session: SessionView, results: ResultsView, category: string): FoundFile => {
  const best = results.bestFiles.find((one) => one.category === category);
  if (best === undefined) return undefined;
  if (best.cycle === 0) return submittedOf(session, best.path, best.href);
  const cycle = session.cycles.find((one) => one.cycle === best.cycle);
  const file = cycle?.result?.outputs.find(({ path }) => path === best.path);
  if (cycle === undefined || file === undefined || best.href === undefined) return undefined;
  return { file: { file, href: best.href, program: cycle.decision.program, simulated: isSimulated(cycle) } };
};

/** Why a file exceeds the browser's limits; undefined if it does not. */
export const beyond = ({ size, facts: { model, map } }: SessionFile): string | undefined => {
  if (model !== undefined && model.atoms > limits.atoms) return sceneTexts.tooManyAtoms(model.atoms, limits.atoms);
  const points = map?.grid.reduce((product, length) => product * length, 1) ?? 0;
  if (points > limits.points) return sceneTexts.tooFine(points, limits.points);
  return size > limits.bytes ? sceneTexts.tooLarge(bytesText(size), bytesText(limits.bytes)) : undefined;
};

/** Before the first decision only the files show it. */
const isReconstruction = ({ cycles, request: { inputs } }: SessionView): boolean => {
  const decided = cycles.at(-1)?.decision.experimentType;
  return decided === undefined ? inputs.some(({ facts }) => facts.map !== undefined) : decided === 'cryoem';
};

const fileOf = (found: FoundFile): SceneFile | undefined => (typeof found === 'object' ? found.file : undefined);

const modelProblems = (model: FoundFile, map: FoundFile): readonly string[] => {
  if (typeof model === 'object') return [];
  const missing = model === undefined ? sceneTexts.noModel : sceneTexts.unservedModel;
  return typeof map === 'object' ? [missing, sceneTexts.mapAlone] : [missing];
};

const mapProblems = (model: FoundFile, map: FoundFile): readonly string[] => {
  if (typeof model !== 'object' || typeof map === 'object') return [];
  return [map === undefined ? sceneTexts.noMap : sceneTexts.unservedMap];
};

/** The best model and its map, or either of them; a crystal has map coefficients, a reconstruction a map. */
export const sceneFiles = (session: SessionView, results: ResultsView): SceneFiles => {
  const model = bestOf(session, results, 'model');
  const map = bestOf(session, results, isReconstruction(session) ? 'map' : 'map_coeffs_mtz');
  const files = [fileOf(model), fileOf(map)] as const;
  const tooMuch = files.flatMap((file) => (file && beyond(file.file)) ?? []);
  return {
    ...(files[0] !== undefined && { model: files[0] }),
    ...(files[1] !== undefined && { map: files[1] }),
    problems: [...modelProblems(model, map), ...tooMuch, ...mapProblems(model, map)],
  };
};

/** Whether it can be drawn. */
export const isDrawn = ({ file }: SceneFile): boolean => beyond(file) === undefined;

/** Column pairs of a map coefficients file: 2mFo-DFc and mFo-DFc, the first of each kind. */
export const mapLabels = (pairs: readonly string[]): { readonly density?: string; readonly difference?: string } => {
  const isDifference = (pair: string): boolean => /^(fofc|del|m?fo-?d?fc|diff)/i.test(pair);
  const density = pairs.find((pair) => !isDifference(pair));
  const difference = pairs.find(isDifference);
  return { ...(density !== undefined && { density }), ...(difference !== undefined && { difference }) };
};
