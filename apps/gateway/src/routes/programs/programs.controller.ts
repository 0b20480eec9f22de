import { Controller, Inject } from '@nestjs/common';
import { toProgramsView } from '@fleet/api-views';
import { routes } from '@fleet/contracts/routes';
import type { MetricsView, ProgramsView } from '@fleet/contracts/service';
import { PROGRAM_CATALOGUES, type ProgramCatalogues } from '@fleet/ports';
import { Handles } from '../../http/handles.decorator';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../results/agent-knowledge';

@Controller()
export class ProgramsController {
  constructor(
    @Inject(PROGRAM_CATALOGUES) private readonly catalogues: ProgramCatalogues,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: AgentKnowledge,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /** The programs that the backend can run, and others that the agent knows. */
  @Handles(routes.programs.programs)
  async programs(): Promise<ProgramsView> {
    const { backend } = this.options;
    return toProgramsView(backend, await this.catalogues.of(backend), this.knowledge.programs);
  }

  /** Names, formats and ratings of metrics. */
  @Handles(routes.programs.metrics)
  metrics(): MetricsView {
    return { metrics: this.knowledge.metrics };
  }
}
