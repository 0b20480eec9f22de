import type { BackendName } from '@fleet/contracts/service';
import type { HealthProbe, HealthReport, ProgramCatalogues } from '@fleet/ports';

export const HEALTH_PROBES = Symbol('HealthProbes');

/** A probe, and the effect of its failure: `down` makes the gateway unready, `degraded` is only reported. */
export interface GatedProbe {
  readonly probe: HealthProbe;
  readonly failure: 'down' | 'degraded';
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether the executor has published programs. Without one, sessions are accepted and wait. */
export const programsProbe = (catalogues: ProgramCatalogues, backend: BackendName): HealthProbe => ({
  name: 'programs',
  check: async (): Promise<HealthReport> => {
    try {
      const catalogue = await catalogues.of(backend);
      if (catalogue === undefined)
        return { healthy: false, detail: { reason: 'no executor has published its programs' } };
      const installed = catalogue.programs.length;
      return { healthy: installed > 0, detail: { installed, probedAt: catalogue.probedAt } };
    } catch (error) {
      return { healthy: false, detail: { reason: reasonOf(error) } };
    }
  },
});
