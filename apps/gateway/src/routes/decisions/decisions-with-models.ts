import type { FirstStep } from '@fleet/contracts/batches';
import type { Replay } from '@fleet/contracts/results';
import type { ProgramCatalogue } from '@fleet/contracts/service';
import type { Session } from '@fleet/contracts/sessions';
import type { DecideResponse } from '@fleet/decision-api';
import type { OnApplicationBootstrap, OnApplicationShutdown, OnModuleDestroy } from '@nestjs/common';
import type { DecisionPool } from './decision-pool';
import type { Answered, Requester, DecisionDesk, EncodedResult, RequestTask, TaskModels } from './decision-task';
import type { ModelInquirer } from './model-inquirer';

/** Time limit of all model calls of a request, in milliseconds; then the rules decide. */
const longestMs = 120_000;

/**
 * Decides in threads, and calls models in between if the request wants them, so that no thread waits for a model. With
 * the answer the same request is decided again, with the same checks: a model can only choose from the menu.
 */
export class DecisionsWithModels
  implements DecisionDesk, OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown
{
  constructor(
    private readonly pool: Pick<DecisionPool, 'decide' | 'firstStep' | 'replay' | 'onApplicationShutdown'>,
    private readonly inquirer: Pick<ModelInquirer, 'providers' | 'ask' | 'onApplicationBootstrap' | 'onModuleDestroy'>,
    private readonly patienceMs = longestMs,
  ) {}

  async answer(document: unknown, by: Requester): Promise<DecideResponse> {
    return (await this.decided({ kind: 'document', document }, by)) as DecideResponse;
  }

  async answerEncoded(encoded: string, by: Requester): Promise<EncodedResult> {
    return (await this.decided({ kind: 'encoded', encoded }, by)) as EncodedResult;
  }

  firstStep(session: Session, catalogue: ProgramCatalogue): Promise<FirstStep> {
    return this.pool.firstStep(session, catalogue);
  }

  replay(session: Session, catalogue: ProgramCatalogue): Promise<Replay> {
    return this.pool.replay(session, catalogue);
  }

  onApplicationBootstrap(): void {
    this.inquirer.onApplicationBootstrap();
  }

  onModuleDestroy(): Promise<void> {
    return this.inquirer.onModuleDestroy();
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.onApplicationShutdown();
  }

  /**
   * If a model chooses a program that cannot run, the choice is rejected as usual, and models are called again, at most
   * three times.
   */
  private async decided(task: RequestTask, by: Requester): Promise<Answered['answer']> {
    const { providers } = this.inquirer;
    const answers: TaskModels['answers'][number][] = [];
    let deadline: AbortSignal | undefined;
    for (;;) {
      const { answer, open } = await this.pool.decide({ ...task, models: { providers, answers } });
      if (open === undefined) return answer;
      deadline ??= AbortSignal.timeout(this.patienceMs);
      answers.push([open.hash, await this.inquirer.ask(open, by, deadline)]);
    }
  }
}
