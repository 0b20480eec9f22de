import { experimentOf, withModelDirectives, type ModelDirective } from '@fleet/advice';
import { mergedDirectives, type AdviceReading, type Guidance, type ModelReading } from '@fleet/contracts/guidance';
import { readWorkOf } from '@fleet/contracts/models';
import type { Session } from '@fleet/contracts/sessions';
import { directivesTurn } from '@fleet/model-turns';
import { requestsOf, watchedTurn, type Planner } from './watched-turn';

const prompt = 'directives 1';

/** Advice that no model has read, if the submitter allows models. A single "stop" needs no model. */
const isUnread = ({ guidance, request }: Session): boolean =>
  guidance !== undefined &&
  guidance.modelReading === undefined &&
  !request.settings.use_rules_only &&
  !guidance.reading.stopsNow &&
  guidance.reading.text.trim() !== '';

/** The new guidance; the client's structured directives stay first. */
const guidanceWith = (before: Guidance, reading: AdviceReading, modelReading: ModelReading): Guidance => ({
  ...before,
  reader: modelReading.failed === undefined ? 'model' : before.reader,
  reading,
  modelReading,
  overruled: mergedDirectives(reading.directives, before.directives ?? {}).overruled,
});

/**
 * The guidance of a session with a model's reading of its advice, in addition to that of the rules; with the reason if no model gave a usable
 * answer. Undefined if there is nothing to read, or a model has already read it.
 * @throws Fault (transient) `decision.handed_back`, or if replies or the ledger are unavailable
 */
export const readByModels =
  (planner: Planner) =>
  async (session: Session): Promise<Guidance | undefined> => {
    const { guidance, request, cycle } = session;
    if (guidance === undefined || !isUnread(session)) return undefined;
    const { ruleBook } = planner;
    const experiment = experimentOf(request);
    const context = { experiment, advice: guidance.reading.text, ruleBook };
    const outcome = await watchedTurn<readonly ModelDirective[]>(planner, session, readWorkOf(cycle), (ways) =>
      directivesTurn(context, ways),
    );
    const requests = requestsOf(outcome);
    if (!('value' in outcome)) {
      const { code, why } = outcome;
      return guidanceWith(guidance, guidance.reading, { prompt, requests, failed: code, why: why.slice(0, 1_000) });
    }
    const { value, target, model, hash } = outcome;
    const { reading, dropped } = withModelDirectives(guidance.reading, value, { ...ruleBook, experiment });
    const account = dropped.length === 0 ? {} : { dropped };
    return guidanceWith(guidance, reading, { prompt, requests, target, model, hash, ...account });
  };
