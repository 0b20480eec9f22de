import { sql } from 'kysely';
import type { BackendName, ProgramCatalogue } from '@fleet/contracts/service';
import type { ProgramCatalogues } from '@fleet/ports';
import { reachingStore, type StoreContext } from '../database';

export class PostgresProgramCatalogues implements ProgramCatalogues {
  constructor(private readonly context: StoreContext) {}

  async publish(catalogue: ProgramCatalogue): Promise<void> {
    await reachingStore(() =>
      this.context.db
        .insertInto('program_catalogues')
        .values({ backend: catalogue.backend, catalogue: JSON.stringify(catalogue) })
        .onConflict((conflict) => conflict.column('backend').doUpdateSet({ catalogue: sql`excluded.catalogue` }))
        .execute(),
    );
  }

  of(backend: BackendName): Promise<ProgramCatalogue | undefined> {
    return reachingStore(async () => {
      const { db } = this.context;
      const query = db.selectFrom('program_catalogues').select('catalogue').where('backend', '=', backend);
      return (await query.executeTakeFirst())?.catalogue;
    });
  }
}
