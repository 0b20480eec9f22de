import type { TurnFailureCode } from '@fleet/contracts/models';

/** Explanation of a turn without a usable answer. */
export interface TurnFailureText {
  /** Where the cause is: the model, the connection to it, the account with its provider, the site's own budgets, or the caller. */
  readonly category: 'model' | 'connection' | 'account' | 'budget' | 'caller';
  /** Whether the same question may be answered later. A session that waits for models (`model_outage: wait`) waits only for these. */
  readonly retryable: boolean;
  /** One sentence. */
  readonly sentence: string;
  /** What to do, in one sentence or two. */
  readonly next: string;
}

export const turnFailureTexts: Readonly<Record<TurnFailureCode, TurnFailureText>> = {
  model_invalid: {
    category: 'model',
    retryable: false,
    sentence: 'Three consecutive answers were invalid.',
    next: 'If it happens often, use a model that follows instructions better; `phx prompt` shows prompt and answers.',
  },
  model_unavailable: {
    category: 'connection',
    retryable: true,
    sentence: 'No target answered, or each failed for another reason.',
    next: 'Check the targets: URL, certificate and network; add a second target to the role.',
  },
  model_rate_limited: {
    category: 'connection',
    retryable: true,
    sentence: 'Every target is rate-limited at the moment.',
    next: 'If it happens often, raise the limit at the provider, or add a second target to the role.',
  },
  model_quota: {
    category: 'account',
    retryable: true,
    sentence: 'The quota is used up.',
    next: 'Raise the quota at the provider, or use another target.',
  },
  model_auth: {
    category: 'account',
    retryable: true,
    sentence: 'The key is missing, wrong, or not allowed to do this.',
    next: "Correct the target's key file, and restart the decision workers.",
  },
  model_refused: {
    category: 'model',
    retryable: false,
    sentence: 'The model or its provider refused to answer.',
    next: 'Read the prompt with `phx prompt`; use a target that accepts its content.',
  },
  model_budget: {
    category: 'budget',
    retryable: false,
    sentence: 'The request could have exceeded a budget of the site.',
    next: 'Raise the budget of the session, the proposal or the day in the models file, or let the rules decide.',
  },
  context_limit: {
    category: 'model',
    retryable: false,
    sentence: 'The shortest form of the prompt is longer than the context of every target.',
    next: 'Use a model with a longer context, and set it in `context_tokens`.',
  },
  aborted: {
    category: 'caller',
    retryable: true,
    sentence: 'The request was abandoned: the session was cancelled or advised again, or the worker ended.',
    next: 'None: the next step repeats the request.',
  },
};
