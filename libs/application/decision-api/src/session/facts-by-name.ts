import type { FileFacts, ModelFacts, MtzFacts } from '@fleet/contracts/sessions';
import { baseName, compressedEnding, stemOf } from '@fleet/files';
import { unknownComponent } from '@fleet/workflow';

const extensionOf = (name: string): string => /\.([a-z0-9_]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';

/** Map coefficients by their names (as in knowledge/file_categories.yaml): of refinements, of density modification. */
const coefficients = /^(?:.*_)?refine_(?:.*_)?\d{3}\.mtz$|denmod|density_modified|map_coeffs/i;
const passedOnData = /_data\.mtz$|_refinement\.mtz$|refinement_data/i;
const phased = /phased|phases|solve|^phaser/i;
/** phenix.refine writes its input data with their flags. */
const refinedData = /refine_\d+_data\.mtz$/i;

const ligandModel = /^lig(?:and)?[-_.]|^lig\d*\.|^ligand|[-_]lig(?:and)?\.|ligand_?fit/i;
const mergedModel = /with_ligand|noligand|liganded|plus_lig/i;
const dictionary = /^lig(?:and)?|[-_]lig(?:and)?\.|restraint|constraint/i;
const modelCif = /refine|model|coord/i;
const reflectionCif = /[-_]sf\.cif$|reflections?\.cif$/i;
/** Component codes of the PDB have three characters, the newest five. */
const componentCode = /^[a-z0-9]{3}$|^[a-z0-9]{5}$/i;

/** Unknown without a statement of the client. */
const flagFacts = (hasFlags: boolean | undefined): Pick<MtzFacts, 'freeFlag' | 'withoutFreeFlag'> => {
  if (hasFlags === undefined) return {};
  return hasFlags ? { freeFlag: '' } : { withoutFreeFlag: true };
};

const mtz = (name: string, hasFlags: boolean | undefined): MtzFacts => {
  const isMap = coefficients.test(name) && !passedOnData.test(name);
  return {
    reflections: 1,
    highResolution: 0,
    lowResolution: 0,
    columns: [],
    observations: isMap ? [] : [{ labels: '', kind: 'amplitude', anomalous: false }],
    mapCoefficients: isMap ? [''] : [],
    phases: !isMap && phased.test(name) ? [''] : [],
    ...(isMap ? {} : flagFacts(hasFlags ?? (refinedData.test(name) || undefined))),
  };
};

const codeOf = (name: string): string =>
  componentCode.test(stemOf(name)) && !/^lig$/i.test(stemOf(name)) ? stemOf(name).toUpperCase() : unknownComponent;

const model = (name: string): ModelFacts => {
  const small = ligandModel.test(name) && !mergedModel.test(name);
  return {
    atoms: 1,
    chains: [],
    polymerResidues: small ? 0 : 1,
    // Unknown from the name.
    waters: Number.NaN,
    ligandCodes: small ? [codeOf(name)] : [],
    predicted: false,
    meanB: 0,
  };
};

const cif = (name: string): FileFacts => {
  if (reflectionCif.test(name)) return { format: 'mmcif-reflections' };
  const isDictionary = (dictionary.test(name) || componentCode.test(stemOf(name))) && !modelCif.test(name);
  return isDictionary
    ? { format: 'restraints', restraints: { codes: [codeOf(name)] } }
    : { format: 'mmcif-model', model: model(name) };
};

const plain: Readonly<Record<string, FileFacts['format']>> = {
  sca: 'scalepack',
  hkl: 'scalepack',
  sdf: 'scalepack',
  fa: 'sequence',
  fasta: 'sequence',
  seq: 'sequence',
  pir: 'sequence',
  dat: 'sequence',
  ncs_spec: 'ncs-spec',
  log: 'text',
  txt: 'text',
  eff: 'text',
  params: 'text',
};

/** XDS's name for unmerged reflections. */
const xds = /^xds_ascii.*\.hkl$/i;

const readers: Readonly<Record<string, (name: string, hasFlags: boolean | undefined) => FileFacts>> = {
  mtz: (name, hasFlags) => ({ format: 'mtz', mtz: mtz(name, hasFlags) }),
  pdb: (name) => ({ format: 'pdb', model: model(name) }),
  ent: (name) => ({ format: 'pdb', model: model(name) }),
  cif,
  mmcif: cif,
  mrc: () => ({ format: 'map', map: { grid: [0, 0, 0], mode: 2, voxel: 0 } }),
  ccp4: () => ({ format: 'map', map: { grid: [0, 0, 0], mode: 2, voxel: 0 } }),
  map: () => ({ format: 'map', map: { grid: [0, 0, 0], mode: 2, voxel: 0 } }),
};

/**
 * Derives the most likely facts of a client's file from its name: the file itself is on the client's machine. Marked as assumed.
 * @param hasFlags whether it has R-free flags, if the client said so
 */
export const factsByName = (path: string, hasFlags?: boolean): FileFacts => {
  const name = baseName(path);
  const extension = extensionOf(name);
  if (compressedEnding.test(name)) return { format: 'unknown', assumed: true, notes: ['It is compressed: unpack it.'] };
  if (xds.test(name)) return { format: 'xds-ascii', assumed: true };
  const facts = readers[extension]?.(name, hasFlags) ?? { format: plain[extension] ?? 'unknown' };
  return { ...facts, assumed: true };
};
