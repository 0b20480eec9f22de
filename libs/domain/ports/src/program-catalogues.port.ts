import type { BackendName, ProgramCatalogue } from '@fleet/contracts/service';

export const PROGRAM_CATALOGUES = Symbol('ProgramCatalogues');

/** Which programs each backend has installed, as its executor probed them. */
export interface ProgramCatalogues {
  publish(catalogue: ProgramCatalogue): Promise<void>;
  /** Undefined while no executor of this backend has published what is installed. */
  of(backend: BackendName): Promise<ProgramCatalogue | undefined>;
}
