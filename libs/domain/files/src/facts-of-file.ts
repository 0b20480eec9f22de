import type { SessionFile } from '@fleet/contracts/sessions';
import type { Facts } from '@fleet/knowledge-model';
import { isUnmerged, isUnscaled } from './file-order';
import { halfMapsOf } from './half-maps';
import { isDerivedMap, isMask } from './masks';

const reflectionFormats: ReadonlySet<string> = new Set(['scalepack', 'mmcif-reflections', 'xds-ascii']);

const reflectionFacts = (file: SessionFile): Facts => {
  const { facts } = file;
  const { mtz } = facts;
  if (mtz === undefined)
    return reflectionFormats.has(facts.format)
      ? { has_observations: true, unmerged: isUnmerged(file), unscaled: false }
      : {};
  const observations = isUnscaled(file) ? [] : mtz.observations;
  return {
    unmerged: isUnmerged(file),
    unscaled: isUnscaled(file),
    has_observations: observations.length > 0,
    observation_arrays: observations.length,
    has_anomalous: observations.some((observation) => observation.anomalous),
    has_free_flag: mtz.freeFlag !== undefined,
    has_map_coefficients: mtz.mapCoefficients.length > 0,
    has_phases: mtz.phases.length > 0,
    reflections: mtz.reflections,
    resolution: mtz.highResolution,
  };
};

const modelFacts = ({ facts: { model } }: SessionFile): Facts =>
  model === undefined
    ? {}
    : {
        atoms: model.atoms,
        chains: model.chains.length,
        polymer_residues: model.polymerResidues,
        waters: model.waters,
        ligands: model.ligandCodes.length,
        predicted: model.predicted,
        mean_b: model.meanB,
      };

const mapKind = (file: SessionFile, halves: ReadonlySet<SessionFile>): string => {
  if (isMask(file)) return 'mask';
  if (isDerivedMap(file)) return 'derived';
  return halves.has(file) ? 'half' : 'full';
};

/** Points along each axis and their spacing, to 0.01 Å. */
const gridOf = ({ facts: { map } }: SessionFile): string => `${String(map?.grid)} ${map?.voxel.toFixed(2) ?? ''}`;

const isModel = ({ facts: { model } }: SessionFile): boolean => model !== undefined && model.polymerResidues > 0;

/**
 * Facts that conditions of knowledge/file_categories.yaml may use about one file among all files of its session:
 * `format`, `assumed` (not inspected), `submitted`, `made_by`, `cycle`; for reflections `unmerged`, `unscaled`, `has_observations` (no program
 * can use unscaled ones), `observation_arrays`, `has_anomalous`, `has_free_flag`, `has_map_coefficients`, `has_phases`, `reflections`, `resolution` (Å); for models `atoms`, `chains`,
 * `polymer_residues`, `waters`, `ligands` (kinds of), `predicted`, `mean_b` (Å²), `other_models` (submitted beside it); for maps `map_kind`
 * (mask, derived, half or full) and `on_grid_of_halves` (that of the half maps beside it).
 */
export const factsOfFiles = (files: readonly SessionFile[]): ReadonlyMap<SessionFile, Facts> => {
  const { halves } = halfMapsOf(files);
  const halfGrids = new Set([...halves].map(gridOf));
  const submittedModels = new Set(files.filter((file) => file.cycle === 0 && isModel(file)));
  return new Map(
    files.map((file): [SessionFile, Facts] => [
      file,
      {
        format: file.facts.format,
        assumed: file.facts.assumed === true,
        submitted: file.cycle === 0,
        cycle: file.cycle,
        made_by: file.program,
        ...reflectionFacts(file),
        ...modelFacts(file),
        other_models: submittedModels.size - Number(submittedModels.has(file)),
        ...(file.facts.format === 'map'
          ? {
              map_kind: mapKind(file, halves),
              on_grid_of_halves: halfGrids.has(gridOf(file)),
            }
          : {}),
      },
    ]),
  );
};
