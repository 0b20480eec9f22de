import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { PortContract } from './store-ports';

/** The behavior of every ProgramCatalogues. */
export const programCataloguesContract: PortContract = (store, clock) => {
  it("returns a backend's programs as published", async () => {
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
