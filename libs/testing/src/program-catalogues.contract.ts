import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { PortContract } from './store-ports';

/** What every ProgramCatalogues must do. */
export const programCataloguesContract: PortContract = (store, clock) => {
  it('gives back the programs of a backend as they were published', async () => {
    const at = new Date(clock.now()).toISOString();
    const catalogue: ProgramCatalogue = {
      backend: 'local',
      probedAt: at,
      programs: [
        { program: 'phenix.refine', provider: 'phenix', version: 'PHENIX 2.0', command: ['/opt/phenix.refine'] },
      ],
    };
    const { catalogues } = store();
    await expect(catalogues.of('local')).resolves.toBeUndefined();
    await catalogues.publish(catalogue);
    await expect(catalogues.of('local')).resolves.toEqual(catalogue);
    await expect(catalogues.of('kubernetes')).resolves.toBeUndefined();
  });
};
