import { MODEL_INQUIRIES, type ModelInquiries } from '@fleet/ports';
import { Logger, Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { KnowledgeConfig } from '@fleet/config';
import { DecisionPool } from './decision-pool';
import type { DecisionDesk } from './decision-task';
import { DECISION_DESK, DecisionsController } from './decisions.controller';
import { DecisionsWithModels } from './decisions-with-models';
import { ModelInquirer } from './model-inquirer';

/** A decision takes milliseconds; two threads serve hundreds of clients and leave the machine to the programs. */
const bounds = { threads: 2, maxWaiting: 64, longestWaitMs: 20_000, timeoutMs: 15_000 } as const;

/** Without MODEL_INQUIRIES only the rules decide. */
const provider: FactoryProvider<DecisionDesk> = {
  provide: DECISION_DESK,
  inject: [KnowledgeConfig, { token: MODEL_INQUIRIES, optional: true }],
  useFactory: ({ folder }: KnowledgeConfig, inquiries?: ModelInquiries) => {
    const pool = new DecisionPool({ knowledge: folder, ...bounds });
    return inquiries === undefined
      ? pool
      : new DecisionsWithModels(pool, new ModelInquirer(inquiries, new Logger('Decisions')));
  },
};

/** POST /api/v2/decide. For decisions by rules it needs neither a database nor an executor. */
@Module({})
export class DecisionsModule {
  /** @param desk makes the decisions; by default threads with the gateway's own rules */
  static forRoot(desk: FactoryProvider<DecisionDesk> = provider): DynamicModule {
    return { module: DecisionsModule, providers: [desk], controllers: [DecisionsController], exports: [DECISION_DESK] };
  }
}
