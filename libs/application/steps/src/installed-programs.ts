import { Fault } from '@fleet/contracts/faults';
import type { BackendName, ProgramCatalogue } from '@fleet/contracts/service';
import type { ProgramCatalogues } from '@fleet/ports';

/**
 * The programs that a decision may choose from.
 * @throws Fault `programs.not_published` (transient) until an executor has published its programs
 */
export const installedPrograms = async (
  catalogues: Pick<ProgramCatalogues, 'of'>,
  backend: BackendName,
): Promise<ProgramCatalogue> => {
  const catalogue = await catalogues.of(backend);
  if (catalogue !== undefined) return catalogue;
  const why = `no executor of the backend "${backend}" has reported its programs yet`;
  throw new Fault('programs.not_published', 'transient', why);
};
