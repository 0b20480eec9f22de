import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { KnowledgeConfig } from '@fleet/config';
import { buildDecisionApi, type DecisionApi } from '@fleet/decision-api';
import { buildDecisionGraph } from '@fleet/decision-graph';
import { loadRuleBook } from '@fleet/knowledge';
import { systemClock } from '@fleet/ports';
import { DECISION_API, DecisionsController } from './decisions.controller';

/** The API over the knowledge of a folder. */
export const decisionApiOf = async (folder: string): Promise<DecisionApi> => {
  const ruleBook = await loadRuleBook(folder);
  return buildDecisionApi({ ruleBook, decider: buildDecisionGraph({ ruleBook }), clock: systemClock });
};

const fromConfig: FactoryProvider<DecisionApi> = {
  provide: DECISION_API,
  inject: [KnowledgeConfig],
  useFactory: ({ folder }: KnowledgeConfig) => decisionApiOf(folder),
};

/** POST /api/v2/decide. It needs neither Redis nor an executor. */
@Module({})
export class DecisionsModule {
  static forRoot(api: FactoryProvider<DecisionApi> = fromConfig): DynamicModule {
    return { module: DecisionsModule, providers: [api], controllers: [DecisionsController] };
  }
}
