import { programProviders } from '@fleet/contracts/service';
import {
  DELIVERIES,
  PROGRAM_CATALOGUES,
  reading,
  WEBHOOKS,
  type Deliveries,
  type ProgramCatalogues,
  type Reading,
  type Webhooks,
} from '@fleet/ports';
import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';

/** Programs and webhooks. */
@Injectable()
export class SiteMetrics {
  constructor(
    @Inject(PROGRAM_CATALOGUES) private readonly catalogues: Pick<ProgramCatalogues, 'of'>,
    @Inject(WEBHOOKS) private readonly hooks: Pick<Webhooks, 'list'>,
    @Inject(DELIVERIES) private readonly deliveries: Pick<Deliveries, 'state'>,
    @Inject(GATEWAY_OPTIONS) private readonly options: Pick<GatewayOptions, 'backend'>,
  ) {}

  /** Empty before an executor has published its programs. */
  async programs(): Promise<readonly Reading[]> {
    const catalogue = await this.catalogues.of(this.options.backend);
    if (catalogue === undefined) return [];
    return programProviders.map((provider) =>
      reading(
        'phenix_fleet_programs',
        { provider },
        catalogue.programs.filter((program) => program.provider === provider).length,
      ),
    );
  }

  async webhooks(): Promise<readonly Reading[]> {
    const known = await this.hooks.list();
    const states = await Promise.all(known.map(({ id }) => this.deliveries.state(id)));
    const failing = states.filter((state) => state.failing > 0).length;
    return [
      reading('phenix_fleet_webhooks', { state: 'failing' }, failing),
      reading('phenix_fleet_webhooks', { state: 'well' }, states.length - failing),
      reading(
        'phenix_fleet_webhook_notices_dead',
        {},
        states.reduce((sum, { dead }) => sum + dead, 0),
      ),
    ];
  }
}
