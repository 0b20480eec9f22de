import { InvalidArgumentError } from 'commander';
import type { AssessmentView, LogSummaryView } from '@fleet/contracts/results';
import { isAnswered, plainLine } from '@fleet/session-report';
import { patiently, reconnectionOf } from '../client/session-events';
import { exitCodes, type ExitCode } from '../exit-codes';
import type { CommandContext } from '../command-context';

const firstPollMs = 300;
const longestPollMs = 3_000;
const longestWaitS = 3_600;
export const usualWaitS = 300;

/** A text by a model on request, and by the rules at any time. */
type WrittenView = Pick<AssessmentView | LogSummaryView, 'state' | 'writtenBy' | 'writtenAt' | 'requestedAt' | 'why'>;

export interface AskOptions {
  readonly ask?: boolean;
  readonly wait: number;
}

export const readSeconds = (given: string): number => {
  const seconds = Number(given);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= longestWaitS && given.trim() !== '') return seconds;
  throw new InvalidArgumentError(`Allowed: 0 to ${String(longestWaitS)} seconds.`);
};

/** Routes and words for a kind of text. */
interface WrittenText<V extends WrittenView> {
  readonly look: () => Promise<V>;
  readonly ask: () => Promise<V>;
  readonly lines: (view: V) => readonly string[];
  /** `phx assess` */
  readonly command: string;
  /** What no model has done: `assessed it`. */
  readonly done: string;
  /** Models that the site may lack: `none that assesses`. */
  readonly none: string;
}

interface Answer<V> {
  readonly view: V;
  /** Undefined: no model was requested. */
  readonly requestedAt?: string | undefined;
}

/** Waits until a model has answered, or the time is over. */
const answerOfModel = async <V extends WrittenView>(
  { client, terminal }: CommandContext,
  { look, ask }: WrittenText<V>,
  waitS: number,
): Promise<Answer<V>> => {
  let view = await ask();
  const { requestedAt } = view;
  let pollMs = firstPollMs;
  for (let leftMs = waitS * 1000; view.state === 'pending' && leftMs > 0;) {
    const ms = Math.min(pollMs, leftMs);
    await terminal.pause(ms);
    leftMs -= ms;
    pollMs = Math.min(pollMs * 1.5, longestPollMs);
    view = await patiently(client, look, reconnectionOf(terminal));
  }
  return { view, requestedAt };
};

type TextLabels = Pick<WrittenText<WrittenView>, 'command' | 'done' | 'none'>;

const whyNot = ({ state, why }: WrittenView, { command, done, none }: TextLabels, waitS: number): string => {
  if (state === 'pending')
    return `No model has answered within ${String(waitS)} s. ${command} shows the answer when it arrives.`;
  if (state === 'failed') return `No model has ${done}: ${plainLine(why ?? 'no reason was given')}.`;
  return `No model was asked: the site has ${none}, or this session allows only rules.`;
};

/** Reports why the text is not by a model although one was requested. */
const exitCodeOf = (
  { terminal }: CommandContext,
  answer: Answer<WrittenView>,
  words: TextLabels,
  waitS: number,
): ExitCode => {
  if (isAnswered(answer.view, answer.requestedAt)) return exitCodes.ok;
  const { view } = answer;
  const above = view.writtenBy === 'model' ? 'the previous text of a model' : 'the text of the rules';
  terminal.err(`${whyNot(view, words, waitS)} Above is ${above}.\n`);
  return exitCodes.infrastructureFailed;
};

/** Prints a text, after a model has written it if requested; exit code 8 if no model does. */
export const printText = async <V extends WrittenView>(
  context: CommandContext,
  text: WrittenText<V>,
  { ask = false, wait }: AskOptions,
): Promise<ExitCode> => {
  const answer: Answer<V> = ask ? await answerOfModel(context, text, wait) : { view: await text.look() };
  context.print(answer.view, () => text.lines(answer.view));
  return ask ? exitCodeOf(context, answer, text, wait) : exitCodes.ok;
};
