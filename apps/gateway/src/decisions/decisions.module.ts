import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { buildDecisionApi, type DecisionApi } from '@fleet/decision-api';
import { buildDecisionGraph } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import { systemClock } from '@fleet/ports';
import { RULE_BOOK, RuleBookModule } from '../rule-book/rule-book.module';
import { DECISION_API, DecisionsController } from './decisions.controller';

/** The API over a rule book. */
export const decisionApiOf = (ruleBook: RuleBook): DecisionApi =>
  buildDecisionApi({ ruleBook, decider: buildDecisionGraph({ ruleBook }), clock: systemClock });

const provider: FactoryProvider<DecisionApi> = {
  provide: DECISION_API,
  inject: [RULE_BOOK],
  useFactory: decisionApiOf,
};

/** POST /api/v2/decide. It needs neither Redis nor an executor. */
@Module({})
export class DecisionsModule {
  /** @param api another source of the API; by default the gateway's own rule book */
  static forRoot(api?: FactoryProvider<DecisionApi>): DynamicModule {
    const imports = api === undefined ? [RuleBookModule] : [];
    return { module: DecisionsModule, imports, providers: [api ?? provider], controllers: [DecisionsController] };
  }
}
