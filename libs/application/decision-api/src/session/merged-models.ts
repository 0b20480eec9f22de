import type { SessionFile } from '@fleet/contracts/sessions';
import { baseName } from '@fleet/files';
import { unknownComponent } from '@fleet/workflow';

const merging = /with_ligand|_liganded|plus_lig/i;

/** A model of the macromolecule, with or without ligands. */
export const isWholeModel = ({ facts }: SessionFile): boolean => (facts.model?.polymerResidues ?? 0) > 0;

const isAssumedModel = (file: SessionFile): boolean => file.facts.assumed === true && isWholeModel(file);

const withLigand = (file: SessionFile): SessionFile => {
  const { model } = file.facts;
  return model === undefined
    ? file
    : { ...file, facts: { ...file.facts, model: { ...model, ligandCodes: [unknownComponent] } } };
};

/**
 * After a ligand was merged, later models contain it too; their names do not show it.
 * @param written files that each cycle wrote, oldest cycle first
 */
export const mergedOutputs = (written: readonly (readonly SessionFile[])[]): readonly (readonly SessionFile[])[] => {
  const first = written.findIndex((files) => files.some(({ path }) => merging.test(baseName(path))));
  return written.map((files, index) =>
    first < 0 || index < first ? files : files.map((file) => (isAssumedModel(file) ? withLigand(file) : file)),
  );
};
