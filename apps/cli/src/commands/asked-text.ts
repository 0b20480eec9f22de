import { InvalidArgumentError } from 'commander';
import type { AssessmentView, LogSummaryView } from '@fleet/contracts';
import { isAnswered, plainLine } from '@fleet/session-report';
import { patiently, reconnectionOf } from '../client/session-events';
import { exitCodes, type ExitCode } from '../exit-codes';
import type { CommandContext } from './command-context';

const firstPollMs = 300;
const longestPollMs = 3_000;
const longestWaitS = 3_600;
export const usualWaitS = 300;

/** What a model writes on demand, and the rules at any time. */
type WrittenView = Pick<AssessmentView | LogSummaryView, 'state' | 'writtenBy' | 'writtenAt' | 'askedAt' | 'why'>;

export interface AskOptions {
  readonly ask?: boolean;
  readonly wait: number;
}

export const readSeconds = (given: string): number => {
  const seconds = Number(given);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= longestWaitS && given.trim() !== '') return seconds;
  throw new InvalidArgumentError(`Allowed: 0 to ${String(longestWaitS)} seconds.`);
};

/** How a text is read and wished for, and what the command says of it. */
interface TextWays<V extends WrittenView> {
  readonly look: () => Promise<V>;
  readonly ask: () => Promise<V>;
  readonly lines: (view: V) => readonly string[];
  /** `phx assess` */
  readonly command: string;
  /** What no model has done: `assessed it`. */
  readonly done: string;
  /** Models for it that the site may lack: `none that assesses`. */
  readonly none: string;
}

interface Answer<V> {
  readonly view: V;
  /** Undefined: no model was asked for this. */
  readonly askedAt?: string | undefined;
}

/** Until a model has answered, or the time is over. */
const asked = async <V extends WrittenView>(
  { client, terminal }: CommandContext,
  { look, ask }: TextWays<V>,
  waitS: number,
): Promise<Answer<V>> => {
  let view = await ask();
  const { askedAt } = view;
  let pollMs = firstPollMs;
  for (let leftMs = waitS * 1000; view.state === 'asked' && leftMs > 0;) {
    const ms = Math.min(pollMs, leftMs);
    await terminal.pause(ms);
    leftMs -= ms;
    pollMs = Math.min(pollMs * 1.5, longestPollMs);
    view = await patiently(client, look, reconnectionOf(terminal));
  }
  return { view, askedAt };
};

type Words = Pick<TextWays<WrittenView>, 'command' | 'done' | 'none'>;

const whyNot = ({ state, why }: WrittenView, { command, done, none }: Words, waitS: number): string => {
  if (state === 'asked')
    return `No model has answered within ${String(waitS)} s; ${command} shows its answer when it has.`;
  if (state === 'failed') return `No model has ${done}: ${plainLine(why ?? 'nobody said why')}.`;
  return `No model is asked here: the site has ${none}, or the rules decide alone in this session.`;
};

/** Why it is not a model's although one was to write it. */
const told = ({ terminal }: CommandContext, answer: Answer<WrittenView>, words: Words, waitS: number): ExitCode => {
  if (isAnswered(answer.view, answer.askedAt)) return exitCodes.ok;
  const { view } = answer;
  const above = view.writtenBy === 'model' ? 'what a model wrote before' : 'what the rules say';
  terminal.err(`${whyNot(view, words, waitS)} Above is ${above}.\n`);
  return exitCodes.infrastructureFailed;
};

/** Prints a text, which a model writes before where one is to; 8 where none does. */
export const printText = async <V extends WrittenView>(
  context: CommandContext,
  ways: TextWays<V>,
  { ask = false, wait }: AskOptions,
): Promise<ExitCode> => {
  const answer: Answer<V> = ask ? await asked(context, ways, wait) : { view: await ways.look() };
  context.print(answer.view, () => ways.lines(answer.view));
  return ask ? told(context, answer, ways, wait) : exitCodes.ok;
};
