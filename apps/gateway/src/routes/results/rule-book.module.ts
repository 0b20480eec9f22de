import { Module } from '@nestjs/common';
import { KnowledgeConfig } from '@fleet/config';
import { loadRuleBook } from '@fleet/knowledge';

export const RULE_BOOK = Symbol('RuleBook');

/** The knowledge folder, read and validated once for the whole gateway. */
@Module({
  providers: [
    {
      provide: RULE_BOOK,
      inject: [KnowledgeConfig],
      useFactory: ({ folder }: KnowledgeConfig) => loadRuleBook(folder),
    },
  ],
  exports: [RULE_BOOK],
})
export class RuleBookModule {}
