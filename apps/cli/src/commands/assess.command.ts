import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { AssessmentView } from '@fleet/contracts';
import { plainLine } from '@fleet/session-report';
import { patiently, reconnectionOf } from '../client/session-events';
import { exitCodes, type ExitCode } from '../exit-codes';
import { assessmentLines } from '../output/assessment-lines';
import { onSession, sessionArgument, type Action, type CommandContext, type Connect } from './command-context';

const firstPollMs = 300;
const longestPollMs = 3_000;
const usualWaitS = 300;
const longestWaitS = 3_600;

interface AssessOptions {
  readonly ask?: boolean;
  readonly wait: number;
}

const readSeconds = (given: string): number => {
  const seconds = Number(given);
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= longestWaitS && given.trim() !== '') return seconds;
  throw new InvalidArgumentError(`Allowed: 0 to ${String(longestWaitS)} seconds.`);
};

interface Answer {
  readonly view: AssessmentView;
  /** Undefined: no model was asked for this. */
  readonly askedAt?: string | undefined;
}

/** Until a model has answered, or the time is over. */
const asked = async ({ client, terminal }: CommandContext, id: string, waitS: number): Promise<Answer> => {
  const until = Date.now() + waitS * 1000;
  let view = await client.json('POST /v1/sessions/{id}/assessment', { path: { id } });
  const { askedAt } = view;
  for (let pollMs = firstPollMs; view.state === 'asked' && Date.now() < until;) {
    await pause(Math.min(pollMs, until - Date.now()), undefined, { signal: terminal.interrupted });
    pollMs = Math.min(pollMs * 1.5, longestPollMs);
    const look = (): Promise<AssessmentView> => client.json('GET /v1/sessions/{id}/assessment', { path: { id } });
    view = await patiently(client, look, reconnectionOf(terminal));
  }
  return { view, askedAt };
};

/** Whether a model wrote it, and not for an earlier wish: where the site has no model for it, a wish goes with nothing written. */
const isAnswered = ({ view: { writtenBy, writtenAt }, askedAt }: Answer): boolean =>
  writtenBy === 'model' && (askedAt === undefined || Date.parse(writtenAt) >= Date.parse(askedAt));

const whyNot = ({ state, why }: AssessmentView, waitS: number): string => {
  if (state === 'asked')
    return `No model has answered within ${String(waitS)} s; phx assess shows its answer when it has.`;
  if (state === 'failed') return `No model has assessed it: ${plainLine(why ?? 'nobody said why')}.`;
  return 'No model is asked here: the site has none that assesses, or the rules decide alone in this session.';
};

/** Why it is no model's although one was to write it. */
const told = ({ terminal }: CommandContext, answer: Answer, waitS: number): ExitCode => {
  if (isAnswered(answer)) return exitCodes.ok;
  const { view } = answer;
  const above = view.writtenBy === 'model' ? 'what a model wrote before' : 'what the rules say';
  terminal.err(`${whyNot(view, waitS)} Above is ${above}.\n`);
  return exitCodes.infrastructureFailed;
};

const assess: Action<AssessOptions> = async (context, [id = ''], { ask = false, wait }) => {
  const { client, paint } = context;
  const answer: Answer = ask
    ? await asked(context, id, wait)
    : { view: await client.json('GET /v1/sessions/{id}/assessment', { path: { id } }) };
  context.print(answer.view, () => assessmentLines(answer.view, paint));
  return ask ? told(context, answer, wait) : exitCodes.ok;
};

export const addAssess = (program: Command, connect: Connect): void => {
  const command = program
    .command('assess')
    .summary('show what a session is worth, in five parts')
    .description(
      'Prints the quality of the input data, goal and strategy, an assessment of the strategy, where the session stands, and what to do next: of a model, where one has written it, else as the rules see it now. Numbers of a model that are none of the session are marked. With --ask a model writes it anew; exits with 8 where none does in time, or at all.',
    )
    .argument('<id>', sessionArgument)
    .option('--ask', 'let a model write it, where the site has one for it, and wait for that')
    .option('--wait <seconds>', 'how long to wait for the model', readSeconds, usualWaitS)
    .addHelpText('after', '\nExample:\n  phx assess 01jd7v9s6m2x4k8q0w5c3b1n7r --ask');
  connect<AssessOptions & Record<string, unknown>>(command, onSession(assess));
};
