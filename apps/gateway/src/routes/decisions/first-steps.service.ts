import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { FirstStep } from '@fleet/contracts/batches';
import { failureText, isFault } from '@fleet/contracts/faults';
import type { Session } from '@fleet/contracts/sessions';
import { PROGRAM_CATALOGUES, type ProgramCatalogues } from '@fleet/ports';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../../http/gateway-options';
import type { DecisionDesk } from './decision-task';
import { DECISION_DESK } from './decisions.controller';

/** Previews of sessions' first steps. A submission is valid whether or not there is one. */
@Injectable()
export class FirstSteps {
  private readonly logger = new Logger('FirstSteps');

  constructor(
    @Inject(PROGRAM_CATALOGUES) private readonly catalogues: ProgramCatalogues,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
    @Optional() @Inject(DECISION_DESK) private readonly desk?: DecisionDesk,
  ) {}

  /**
   * Undefined if unknown: no executor has published its programs yet, or the decision failed.
   * @throws Fault `decisions.busy`
   */
  async of(session: Session): Promise<FirstStep | undefined> {
    try {
      const catalogue = await this.catalogues.of(this.options.backend);
      return catalogue === undefined ? undefined : await this.desk?.firstStep?.(session, catalogue);
    } catch (error) {
      if (isFault(error) && error.code === 'decisions.busy') throw error;
      this.logger.warn({ message: 'the first step of a submission is unknown', reason: failureText(error) });
      return undefined;
    }
  }
}
