import { planWorkOf, readWorkOf, replyNameOf, type ModelRequestEntry } from '@fleet/contracts/models';
import type { PromptsView, PromptView } from '@fleet/contracts/results';
import type { PlanningRecord, Session } from '@fleet/contracts/sessions';
import type { StoredReply, ModelReplies } from '@fleet/ports';

/** The model requests of one work item. */
interface PromptWork {
  readonly work: string;
  readonly requests: readonly ModelRequestEntry[];
  /** The question whose reply was followed, and its prompt. */
  readonly followed: Pick<PlanningRecord, 'prompt' | 'hash'> | undefined;
}

type Question = Pick<PromptView, 'prompt' | 'hash'>;

/** The known questions: from the ledger, and from the records of followed replies, which outlive it. */
const questionsOf = ({ requests, followed }: PromptWork): readonly Question[] => {
  const questions = new Map(requests.map(({ prompt, hash }) => [hash, { prompt, hash }]));
  if (followed?.hash !== undefined && !questions.has(followed.hash))
    questions.set(followed.hash, { prompt: followed.prompt, hash: followed.hash });
  return [...questions.values()];
};

const shownReply = (kept: StoredReply | undefined): Partial<PromptView> => {
  if (kept === undefined) return {};
  const { asked, target, model, text, finish } = kept;
  return { ...(asked !== undefined && { messages: asked }), target, model, reply: text, cut: finish === 'length' };
};

/** The model requests before a decision, and for it. */
const questionsIn = (
  { guidance, cycles }: Session,
  cycle: number,
  entries: readonly ModelRequestEntry[],
): readonly [PromptWork, PromptWork] => {
  const of = (work: string, followed: PromptWork['followed']): PromptWork => {
    return { work, requests: entries.filter((entry) => entry.work === work), followed };
  };
  const planning = cycles.find((one) => one.cycle === cycle)?.decision.planning;
  return [of(readWorkOf(cycle), guidance?.modelReading), of(planWorkOf(cycle), planning)];
};

/**
 * The questions of a cycle with their replies, as stored in the session's folder.
 * @throws Fault (transient) if the disk fails
 */
export const promptsOf = async (
  session: Session,
  cycle: number,
  entries: readonly ModelRequestEntry[],
  replies: Pick<ModelReplies, 'find'>,
): Promise<PromptsView> => {
  const prompts: PromptView[] = [];
  const [reading, plan] = questionsIn(session, cycle, entries);
  for (const work of [reading, plan])
    for (const { prompt, hash } of questionsOf(work)) {
      const reply = await replies.find(session, replyNameOf(work.work, hash));
      const requests = work.requests.filter((entry) => entry.hash === hash).length;
      // Only the reply and the ledger show whether the advice was read in this cycle or in another one.
      if (work === reading && reply === undefined && requests === 0) continue;
      prompts.push({ prompt, hash, used: hash === work.followed?.hash, requests, ...shownReply(reply) });
    }
  return { id: session.id, cycle, prompts };
};
