import {
  BATCH_RECORDS,
  CLOCK,
  PROGRAM_CATALOGUES,
  SESSION_INDEX,
  type BatchRecords,
  type Clock,
  type ProgramCatalogues,
  type SessionIndex,
} from '@fleet/ports';
import { RequestLimiter } from '../access/request-limiter';
import type { DecisionDesk } from '../decisions/decision-task';
import { DECISION_DESK } from '../decisions/decisions.controller';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options';
import { SUBMISSION_RULES, type SubmissionRules } from '../submission/submit-session';
import { BATCH_RULES, type BatchRules } from './batch-rules';

/** An API without decisions tells no first steps. */
const decisions = { token: DECISION_DESK, optional: true };

/** How batches are made and worked on. */
export const batchRulesProvider = {
  provide: BATCH_RULES,
  inject: [
    BATCH_RECORDS,
    SESSION_INDEX,
    CLOCK,
    SUBMISSION_RULES,
    PROGRAM_CATALOGUES,
    GATEWAY_OPTIONS,
    RequestLimiter,
    decisions,
  ],
  useFactory: (
    ...[batches, index, clock, submission, catalogues, { backend }, limiter, desk]: BatchParts
  ): BatchRules => ({
    batches,
    index,
    clock,
    submission,
    rowsAdded: (principal, rows) => limiter.chargeSubmissions(principal.id, rows),
    firstStep: async (session) => {
      const catalogue = await catalogues.of(backend);
      return catalogue === undefined ? undefined : desk?.firstStep?.(session, catalogue);
    },
  }),
};

type BatchParts = [
  BatchRecords,
  SessionIndex,
  Clock,
  SubmissionRules,
  ProgramCatalogues,
  GatewayOptions,
  RequestLimiter,
  DecisionDesk | undefined,
];
