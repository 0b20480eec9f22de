import type { BackendName, ProgramCatalogue } from '@fleet/contracts/service';

export const PROGRAM_CATALOGUES = Symbol('ProgramCatalogues');

/** Programs installed on each backend, as its executor detected them. */
export interface ProgramCatalogues {
  publish(catalogue: ProgramCatalogue): Promise<void>;
  /** Undefined until an executor of this backend has published its programs. */
  of(backend: BackendName): Promise<ProgramCatalogue | undefined>;
}
