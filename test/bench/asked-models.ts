import { setTimeout as sleep } from 'node:timers/promises';
import {
  buildDecisionGraph,
  chooseByRules,
  remainingForModels,
  type ChoosingContext,
  type DecisionInput,
  type Planner,
} from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import { systemClock, unmeasured, type ModelLedger, type ModelTarget } from '@fleet/ports';
import { MemoryModelBreaker } from '@fleet/redis';
import { aFullCatalogue } from '@fleet/testing';
import { decidedSessions } from './decided-sessions';
import { recordedInputs } from './recorded-sessions';

const AT = '2026-11-21T08:00:00.000Z';

/** A ledger that grants every request and remembers none. */
const ledger: ModelLedger = {
  hold: () => Promise.resolve(true),
  renew: () => Promise.resolve(true),
  release: () => Promise.resolve(),
  reserve: () => Promise.resolve({ number: 1, day: 0 }),
  settle: () => Promise.resolve(),
  entries: () => Promise.resolve([]),
};

/** Asks models as a worker does; no request and no reply is found again. */
export const plannerOf = (ruleBook: RuleBook, targets: readonly ModelTarget[]): Planner => {
  return {
    ruleBook,
    targets,
    replies: { find: () => Promise.resolve(undefined), keep: () => Promise.resolve() },
    accounting: { ledger, breaker: new MemoryModelBreaker(), budgets: {}, clock: systemClock, metrics: unmeasured },
    watch: async (_session, work) => {
      await ledger.hold(work);
      return {
        signal: new AbortController().signal,
        isHandedBack: () => false,
        close: () => ledger.release(work),
      };
    },
    sleep: (ms) => sleep(ms),
    onUnkept: () => undefined,
  };
};

/** A decision that leaves a choice: its menu, and what the rules choose from it. */
export interface Choosing {
  readonly input: DecisionInput;
  readonly menu: readonly string[];
  readonly program: string;
}

/** The recorded ones were decided by rules, and most say that they want no more. */
const withModels = (input: DecisionInput): DecisionInput => {
  const { session } = input;
  const settings = { ...session.request.settings, use_rules_only: false };
  return { ...input, session: { ...session, request: { ...session.request, settings } } };
};

/** The walked and the recorded sessions at the decisions for which a model is asked. The recorded ones are in the folder of PHENIX_FLEET_TEST_SCENARIOS. */
export const withChoice = async (ruleBook: RuleBook): Promise<readonly Choosing[]> => {
  const rules = buildDecisionGraph({ ruleBook });
  const catalogue = aFullCatalogue(ruleBook);
  const walked = (await decidedSessions(rules, ruleBook)).map((session) => ({ session, catalogue, now: AT }));
  const found: Choosing[] = [];
  const recorded = await recordedInputs(rules, ruleBook);
  for (const input of [...walked, ...recorded].map(withModels)) {
    const menus: (readonly string[])[] = [];
    const choose = (context: ChoosingContext) => {
      menus.push(remainingForModels(context).map(({ program }) => program));
      return chooseByRules(context);
    };
    const outcome = await buildDecisionGraph({ ruleBook, choose }).decide(input);
    const [menu = []] = menus;
    if ('decision' in outcome && menus.length === 1 && menu.length > 1)
      found.push({ input, menu, program: outcome.decision.program });
  }
  return found;
};
