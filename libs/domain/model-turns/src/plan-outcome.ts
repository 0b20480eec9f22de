import { turnFailureCodes } from '@fleet/contracts/models';
import { choice, isDescribed, list, record, text, type Described } from '@fleet/contracts/schema';
import type { Plan } from './read-plan';
import type { TurnOutcome } from './run-turn';

const outcomeSchema = record(
  { attempts: list(record({ target: text(), model: text(), hash: text(), result: text() })) },
  {
    value: record({
      program: text(),
      reasons: text(),
      strategy: record({}),
      confidence: choice(['high', 'medium', 'low']),
    }),
    target: text(),
    model: text(),
    hash: text(),
    code: choice(turnFailureCodes),
    why: text(),
  },
);

const isWhole = ({ value, target, model, code, why }: Described<typeof outcomeSchema>): boolean =>
  value === undefined ? code !== undefined && why !== undefined : target !== undefined && model !== undefined;

/** The outcome of a question that another process asked; undefined for an invalid one. */
export const readPlanOutcome = (document: unknown): TurnOutcome<Plan> | undefined =>
  isDescribed(outcomeSchema, document) && isWhole(document) ? (document as unknown as TurnOutcome<Plan>) : undefined;
