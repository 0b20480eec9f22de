import { experimentOf, withModelWishes, type ModelWish } from '@fleet/advice';
import { mergedDirectives, type AdviceReading, type Guidance, type ModelReading } from '@fleet/contracts/guidance';
import { readWorkOf } from '@fleet/contracts/models';
import type { Session } from '@fleet/contracts/sessions';
import { directivesTurn } from '@fleet/model-turns';
import { requestsOf, watchedTurn, type Planner } from './watched-turn';

const prompt = 'directives 1';

/** Words that no model has read, of a submitter who lets one read them. "Stop" alone is plain enough. */
const isUnread = ({ guidance, request }: Session): boolean =>
  guidance !== undefined &&
  guidance.modelReading === undefined &&
  !request.settings.use_rules_only &&
  !guidance.reading.stopsNow &&
  guidance.reading.text.trim() !== '';

/** What is asked for from now on: what the client gave in structured form stays first. */
const guidanceWith = (before: Guidance, reading: AdviceReading, modelReading: ModelReading): Guidance => ({
  ...before,
  reader: modelReading.failed === undefined ? 'model' : before.reader,
  reading,
  modelReading,
  overruled: mergedDirectives(reading.directives, before.directives ?? {}).overruled,
});

/**
 * The guidance of a session with what a model has read in its words, on top of the rules; with why no model has, where none gave an answer
 * that can be used; undefined where there is nothing that a model is to read, or one has been asked already.
 * @throws Fault (transient) `decision.handed_back`, or where replies cannot be read or the ledger cannot be kept
 */
export const readByModels =
  (planner: Planner) =>
  async (session: Session): Promise<Guidance | undefined> => {
    const { guidance, request, cycle } = session;
    if (guidance === undefined || !isUnread(session)) return undefined;
    const { ruleBook } = planner;
    const experiment = experimentOf(request);
    const context = { experiment, advice: guidance.reading.text, ruleBook };
    const outcome = await watchedTurn<readonly ModelWish[]>(planner, session, readWorkOf(cycle), (ways) =>
      directivesTurn(context, ways),
    );
    const requests = requestsOf(outcome);
    if (!('value' in outcome)) {
      const { code, why } = outcome;
      return guidanceWith(guidance, guidance.reading, { prompt, requests, failed: code, why: why.slice(0, 1_000) });
    }
    const { value, target, model, hash } = outcome;
    const { reading, dropped } = withModelWishes(guidance.reading, value, { ...ruleBook, experiment });
    const account = dropped.length === 0 ? {} : { dropped };
    return guidanceWith(guidance, reading, { prompt, requests, target, model, hash, ...account });
  };
