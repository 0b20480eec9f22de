import type { FileUse, Principal, Session, SessionFile, SubmissionReading } from '@fleet/contracts';
import type { BatchRules } from '../batches/batch-rules';
import { firstStepOf } from '../batches/work-on-row';
import { isApiError } from '../errors/problem-details';
import type { AgentKnowledge } from '../results/agent-knowledge';
import { ProblemList } from './problem-list';
import { readSubmissionBody } from './submission-body';
import { checkSubmission, type SubmissionRules } from './submit-session';
import { submittedInputs } from './submitted-inputs';

/** What a submission is read with. */
export interface ReadingRules extends Pick<BatchRules, 'submission' | 'firstStep'> {
  readonly knowledge: Pick<AgentKnowledge, 'categories' | 'fileUses'>;
}

const readingOf = (
  files: readonly SessionFile[],
  { knowledge }: Pick<ReadingRules, 'knowledge'>,
  uses: readonly FileUse[] = [],
): SubmissionReading['files'] => {
  const categories = knowledge.categories(files);
  return files.map(({ path, size, facts: { format } }, at) => {
    const use = uses[at];
    return { path, size, format, categories: categories[at] ?? [], ...(use !== undefined && { use }) };
  });
};

/** The files of one that is refused: those that can be read are told of all the same. */
const readableFiles = async (
  rawBody: unknown,
  rules: SubmissionRules,
  principal: Principal,
): Promise<readonly SessionFile[]> => {
  // What is wrong was told already.
  const told = new ProblemList();
  const body = readSubmissionBody(rawBody, told);
  return (await submittedInputs(body, { ...rules, readable: rules.readableBy(principal) }, told)).inputs;
};

/**
 * What would become of a submission, in the words in which it would be refused or begun. Nothing is started.
 * @throws ApiError `access.denied` for another's proposal; `inspection.busy`, `decisions.busy`
 */
export const readSubmission = async (
  rawBody: unknown,
  rules: ReadingRules,
  principal: Principal,
): Promise<SubmissionReading> => {
  const { submission } = rules;
  let session: Session;
  try {
    session = await checkSubmission(rawBody, submission, principal);
  } catch (error) {
    if (!isApiError(error) || error.code !== 'submission.invalid') throw error;
    const files = readingOf(await readableFiles(rawBody, submission, principal), rules);
    return { files, problems: error.problems };
  }
  const { guidance, request } = session;
  const first = await firstStepOf(session, rules);
  return {
    files: readingOf(request.inputs, rules, rules.knowledge.fileUses(session)),
    problems: [],
    ...(guidance !== undefined && { guidance }),
    ...(first !== undefined && { first }),
  };
};
