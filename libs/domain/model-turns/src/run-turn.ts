import type { ModelFailureClass, TurnFailureCode } from '@fleet/contracts/models';
import type { StoredReply, ModelAnswer, ModelReply, ModelRequest, ModelTarget, ModelUsage } from '@fleet/ports';
import { hashOf, nameOf, type Prompt } from './prompt';
import type { Problem, Read } from './read-answer';

/** Replies of this work that were already paid. */
interface StoredReplies {
  find(hash: string): Promise<StoredReply | undefined>;
  keep(hash: string, reply: StoredReply): Promise<void>;
}

/** Records every request before it is made. */
export interface TurnAccount {
  /** Called for a target that is skipped because the question is longer than its context. */
  tooLong?(target: ModelTarget): void;
  /** @returns how to settle it, or why it may not be made */
  reserve(
    target: ModelTarget,
    request: ModelRequest,
  ): Promise<((answer: ModelAnswer) => Promise<void>) | (ModelAnswer & { ok: false })>;
}

/** One request, or why there was none, including failures. */
interface TurnAttempt {
  readonly target: string;
  readonly model: string;
  readonly hash: string;
  readonly result: 'answered' | ModelFailureClass;
  readonly why?: string;
  readonly latencyMs: number;
  readonly usage: ModelUsage;
}

export interface Turn<T> {
  readonly prompt: Prompt;
  /** The same question in shorter forms, the longest first, for targets with a short context. */
  readonly shorter?: readonly Prompt[];
  readonly answer: NonNullable<ModelRequest['answer']>;
  readonly read: (text: string, wasCut: boolean) => Read<T>;
  /** In this order. */
  readonly targets: readonly ModelTarget[];
  readonly replies: StoredReplies;
  readonly account: TurnAccount;
  /** Waits; ends at once when the signal is aborted, without rejecting. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly signal?: AbortSignal;
}

export type TurnOutcome<T> = { readonly attempts: readonly TurnAttempt[] } & (
  | { readonly value: T; readonly target: string; readonly model: string; readonly hash: string }
  | { readonly code: TurnFailureCode; readonly why: string }
);

const mostWrong = 3;
const mostReasons = 2;
/** Maximum wait for targets that request a pause; then the rules decide. */
const longestWaitMs = 5_000;
const shortestWaitMs = 500;

/** After these a retry may succeed; the others last for the whole turn. A time-out has cost enough. */
const passing: readonly ModelFailureClass[] = ['rate_limit', 'unavailable', 'bad_answer'];

/** The code of a turn in which all targets fail for the same reason. */
const codeOf: Readonly<Partial<Record<ModelFailureClass, TurnFailureCode>>> = {
  rate_limit: 'model_rate_limited',
  quota: 'model_quota',
  auth: 'model_auth',
  overflow: 'context_limit',
  too_long: 'context_limit',
  refused: 'model_refused',
  budget: 'model_budget',
};

/** One message with the latest reasons, without connection problems. */
const withFeedback = (prompt: Prompt, problems: readonly Problem[]): Prompt => {
  const reasons = [...new Set(problems.map(({ why }) => why))].slice(-mostReasons);
  if (reasons.length === 0) return prompt;
  const text = [
    `Your last answer cannot be used (${problems.length} of ${mostWrong}):`,
    ...reasons.map((why) => `- ${why}`),
    'Answer again with the JSON object.',
  ].join('\n');
  return { ...prompt, messages: [...prompt.messages, { role: 'user', text }] };
};

const keptReply = (
  { id, model }: ModelTarget,
  { text, finish, usage }: ModelReply,
  asked: Prompt['messages'],
): StoredReply => ({
  text,
  finish,
  usage,
  target: id,
  model,
  asked,
});

const notWanted: ModelAnswer = {
  ok: false,
  failure: { class: 'aborted', why: 'no caller waits for the answer any more', usage: {}, latencyMs: 0 },
};

const tooLong: ModelAnswer = {
  ok: false,
  failure: {
    class: 'too_long',
    why: 'the shortest form of the question does not fit its context',
    usage: {},
    latencyMs: 0,
  },
};

/** A form of a question, and the hash of all of it. */
interface Form {
  readonly prompt: Prompt;
  readonly hash: string;
}

const isOverflow = (answer: ModelAnswer): boolean => !answer.ok && answer.failure.class === 'overflow';

/** The whole question first. */
type Forms = readonly [Form, ...Form[]];
type Failed = { readonly code: TurnFailureCode; readonly why: string };
type Replied = { readonly reply: StoredReply; readonly hash: string };

class TurnRun<T> {
  readonly attempts: TurnAttempt[] = [];
  /** Targets that will not answer in this turn. */
  private readonly given = new Map<string, ModelFailureClass>();
  /** Targets that found a seemingly fitting question too long: they get its shortest form. */
  private readonly short = new Set<string>();

  constructor(private readonly turn: Turn<T>) {}

  async run(): Promise<TurnOutcome<T>> {
    const problems: Problem[] = [];
    while (problems.length < mostWrong) {
      const forms = this.forms(problems);
      const replied = (await this.kept(forms)) ?? (await this.ask(forms));
      if ('code' in replied) return { ...replied, attempts: this.attempts };
      const { reply, hash } = replied;
      const read = this.turn.read(reply.text, reply.finish === 'length');
      const { target, model } = reply;
      if ('value' in read) return { value: read.value, target, model, hash, attempts: this.attempts };
      problems.push(read.problem);
    }
    const why = `${mostWrong} answers could not be used, the last one because ${problems.at(-1)?.why ?? ''}`;
    return { code: 'model_invalid', why, attempts: this.attempts };
  }

  private forms(problems: readonly Problem[]): Forms {
    const { prompt, shorter = [] } = this.turn;
    const formOf = (form: Prompt): Form => {
      const retry = withFeedback(form, problems);
      return { prompt: retry, hash: hashOf(retry) };
    };
    return [formOf(prompt), ...shorter.map(formOf)];
  }

  /** Which form was sent depends on what a process has learnt about its targets: a reply to any form is paid. */
  private async kept(forms: Forms): Promise<Replied | undefined> {
    for (const { hash } of forms) {
      const reply = await this.turn.replies.find(hash);
      if (reply !== undefined) return { reply, hash };
    }
    return undefined;
  }

  /** The first reply of the chain, stored before it is read. */
  private async ask(forms: Forms): Promise<Replied | Failed> {
    for (let round = 0; ; round += 1) {
      const failures: (ModelAnswer & { ok: false })[] = [];
      for (const target of this.turn.targets.filter(({ id }) => !this.given.has(id))) {
        const [answer, { prompt, hash }] = await this.request(target, forms);
        if (answer.ok) return { reply: keptReply(target, answer.reply, prompt.messages), hash };
        if (answer.failure.class === 'aborted') return { code: 'aborted', why: answer.failure.why };
        failures.push(answer);
      }
      const waitMs = Math.max(shortestWaitMs, ...failures.map(({ failure }) => failure.retryAfterMs ?? 0));
      if (round > 0 || waitMs > longestWaitMs || this.given.size === this.turn.targets.length) return this.failed();
      await this.turn.sleep(waitMs, this.turn.signal);
    }
  }

  /** The longest form that fits; if the target still finds it too long, the shortest one, once. */
  private async request(target: ModelTarget, forms: Forms): Promise<readonly [ModelAnswer, Form]> {
    const fitting = forms.filter(({ prompt }) => target.fits?.(prompt.messages) ?? true);
    const shortest = fitting.at(-1) ?? forms[0];
    const first = this.short.has(target.id) ? shortest : (fitting[0] ?? shortest);
    let latest: readonly [ModelAnswer, Form] = [await this.once(target, first, fitting.length > 0), first];
    if (isOverflow(latest[0]) && first !== shortest) {
      this.short.add(target.id);
      latest = [await this.once(target, shortest, true), shortest];
    }
    const [answer] = latest;
    if (!answer.ok && !passing.includes(answer.failure.class)) this.given.set(target.id, answer.failure.class);
    return latest;
  }

  private async once(target: ModelTarget, { prompt, hash }: Form, fits: boolean): Promise<ModelAnswer> {
    const inquiry = { prompt: nameOf(prompt), hash };
    const request = { messages: prompt.messages, asked: inquiry, answer: this.turn.answer };
    if (!fits) this.turn.account.tooLong?.(target);
    const answer = fits ? await this.paid(target, request) : tooLong;
    const { id, model } = target;
    const { usage, latencyMs } = answer.ok ? answer.reply : answer.failure;
    const result = answer.ok
      ? { result: 'answered' as const }
      : { result: answer.failure.class, why: answer.failure.why };
    this.attempts.push({ target: id, model, hash, ...result, usage, latencyMs });
    return answer;
  }

  /**
   * Reserved before it is made; stored before it is settled, because an unstored reply must be paid again; settled even if storing failed.
   */
  private async paid(target: ModelTarget, request: ModelRequest): Promise<ModelAnswer> {
    const { signal, account, replies } = this.turn;
    if (signal?.aborted === true) return notWanted;
    const settle = await account.reserve(target, request);
    if (typeof settle !== 'function') return settle;
    const answer = await target.ask(request, signal);
    try {
      if (answer.ok) await replies.keep(request.asked.hash, keptReply(target, answer.reply, request.messages));
    } finally {
      await settle(answer);
    }
    return answer;
  }

  private failed(): Failed {
    const last = new Map(this.attempts.map(({ target, result, why = '' }) => [target, { result, why }]));
    const all = [...last].map(([target, { why }]) => `${target}: ${why}`);
    const codes = new Set([...last.values()].map(({ result }) => (result === 'answered' ? undefined : codeOf[result])));
    const [common] = codes.size === 1 ? codes : [];
    return { code: common ?? 'model_unavailable', why: all.join('; ') };
  }
}

/**
 * Asks until an answer is usable: along the chain of targets, with feedback to the model, and with at most three wrong answers. Resolves with
 * a value, or with a code of a closed list, and rejects only if replies or the account cannot be stored.
 */
export const runTurn = <T>(turn: Turn<T>): Promise<TurnOutcome<T>> => new TurnRun(turn).run();
