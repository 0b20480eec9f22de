import {
  planWorkOf,
  replyNameOf,
  type ModelRequestEntry,
  type PlanningRecord,
  type PromptsView,
  type PromptView,
  type Session,
} from '@fleet/contracts';
import type { KeptReply, ModelReplies } from '@fleet/ports';

type Question = Pick<PromptView, 'prompt' | 'hash'>;

/** What is known to have been asked: by the ledger, and by the decision, which outlives it. */
const questionsOf = (
  planning: PlanningRecord | undefined,
  requests: readonly ModelRequestEntry[],
): readonly Question[] => {
  const questions = new Map(requests.map(({ prompt, hash }) => [hash, { prompt, hash }]));
  if (planning?.hash !== undefined && !questions.has(planning.hash))
    questions.set(planning.hash, { prompt: planning.prompt, hash: planning.hash });
  return [...questions.values()];
};

const shownReply = (kept: KeptReply | undefined): Partial<PromptView> => {
  if (kept === undefined) return {};
  const { asked, target, model, text, finish } = kept;
  return { ...(asked !== undefined && { messages: asked }), target, model, reply: text, cut: finish === 'length' };
};

/**
 * The questions of a cycle with their replies, as they were kept in the session's folder.
 * @throws Fault (transient) when the disk is in trouble
 */
export const promptsOf = async (
  session: Session,
  cycle: number,
  entries: readonly ModelRequestEntry[],
  replies: Pick<ModelReplies, 'find'>,
): Promise<PromptsView> => {
  const work = planWorkOf(cycle);
  const requests = entries.filter((entry) => entry.work === work);
  const planning = session.cycles.find((one) => one.cycle === cycle)?.decision.planning;
  const prompts: PromptView[] = [];
  for (const { prompt, hash } of questionsOf(planning, requests))
    prompts.push({
      prompt,
      hash,
      used: hash === planning?.hash,
      requests: requests.filter((entry) => entry.hash === hash).length,
      ...shownReply(await replies.find(session, replyNameOf(work, hash))),
    });
  return { id: session.id, cycle, prompts };
};
