import { Controller, Get, Inject } from '@nestjs/common';
import { toProgramsView } from '@fleet/api-views';
import type { ProgramsView } from '@fleet/contracts';
import { PROGRAM_CATALOGUES, type ProgramCatalogues } from '@fleet/ports';
import type { MetricsView } from '@fleet/session-report';
import { Requires } from '../access/requires.decorator';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';
import { AGENT_KNOWLEDGE, type AgentKnowledge } from '../results/agent-knowledge';
import { MetricsDocs, ProgramsDocs } from '../openapi/service-docs';

@Controller('v1')
export class ProgramsController {
  constructor(
    @Inject(PROGRAM_CATALOGUES) private readonly catalogues: ProgramCatalogues,
    @Inject(AGENT_KNOWLEDGE) private readonly knowledge: AgentKnowledge,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /** What the backend can run, and what the agent knows beside it. */
  @Get('programs')
  @Requires('service.read')
  @ProgramsDocs()
  async programs(): Promise<ProgramsView> {
    const { backend } = this.options;
    return toProgramsView(backend, await this.catalogues.of(backend), this.knowledge.programs);
  }

  /** How metrics are named, printed and judged. */
  @Get('metrics')
  @Requires('service.about')
  @MetricsDocs()
  metrics(): MetricsView {
    return { metrics: this.knowledge.metrics };
  }
}
