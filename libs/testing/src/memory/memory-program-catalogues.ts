import type { BackendName, ProgramCatalogue } from '@fleet/contracts/service';
import type { ProgramCatalogues } from '@fleet/ports';
import { copy } from './memory-state';

export class MemoryProgramCatalogues implements ProgramCatalogues {
  private readonly published = new Map<BackendName, ProgramCatalogue>();

  publish(catalogue: ProgramCatalogue): Promise<void> {
    this.published.set(catalogue.backend, copy(catalogue));
    return Promise.resolve();
  }

  of(backend: BackendName): Promise<ProgramCatalogue | undefined> {
    return Promise.resolve(this.published.get(backend));
  }
}
