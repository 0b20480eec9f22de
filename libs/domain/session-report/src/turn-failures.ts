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
    sentence: 'Three answers in a row could not be used.',
    next: 'Where that happens often, give the role a model that follows instructions better; `phx prompt` shows question and answers.',
  },
  model_unavailable: {
    category: 'connection',
    retryable: true,
    sentence: 'No target answered, or each failed for another reason.',
    next: 'Look at the targets: URL, certificate and network; add a second target to the role.',
  },
  model_rate_limited: {
    category: 'connection',
    retryable: true,
    sentence: 'Every target has had too many requests for now.',
    next: 'Nothing for once; else raise the limit at the provider, or add a second target to the role.',
  },
  model_quota: {
    category: 'account',
    retryable: true,
    sentence: 'Nothing is left of what was bought or granted.',
    next: 'Buy more at the provider, or ask another target.',
  },
  model_auth: {
    category: 'account',
    retryable: true,
    sentence: 'The key is missing, wrong, or not allowed to do this.',
    next: "Correct the target's key file, and start the decision workers again.",
  },
  model_refused: {
    category: 'model',
    retryable: false,
    sentence: 'The model or its provider does not want to answer this.',
    next: 'Look at the question with `phx prompt`; ask another target where its content is no reason to refuse.',
  },
  model_budget: {
    category: 'budget',
    retryable: false,
    sentence: 'The request might have cost more than the site allows.',
    next: 'Raise the budget of the session, the proposal or the day in the models file, or let the rules decide.',
  },
  context_limit: {
    category: 'model',
    retryable: false,
    sentence: 'The question is longer than the context of every target, even in its shortest form.',
    next: 'Use a model with a longer context, and say so in `context_tokens`.',
  },
  aborted: {
    category: 'caller',
    retryable: true,
    sentence: 'Whoever asked gave up: the session was cancelled or advised again, or the worker ended.',
    next: 'Nothing: the next step asks again.',
  },
};
