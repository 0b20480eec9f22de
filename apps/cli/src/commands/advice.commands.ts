import type { Command } from 'commander';
import type * as ReadAdvice from '../offline/read-advice';
import type { Verbosity } from '@fleet/contracts/sessions';
import { guidanceSentences } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { typedBody } from '../client/typed-body';
import { exitCodes } from '../exit-codes';
import { watchSession } from '../watch/watch-session';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';
import { readAdvice, readDirectives, withGuidance, type AdviceOptions, type DirectiveOptions } from '../read-options';
import { verbosityOption } from './verbosity-option';

// Loaded on demand: the knowledge would slow every other command down.
const loadReadAdvice = () => module.require('../offline/read-advice') as typeof ReadAdvice;

interface SetOptions extends AdviceOptions, DirectiveOptions {
  readonly watch?: boolean;
  readonly verbosity: Verbosity;
}

const set: Action<SetOptions> = async (context, [id = '', text], options) => {
  const { client, terminal, json, colors } = context;
  const given = { ...options, ...(text !== undefined && { advice: text }) };
  const newAdvice = await readAdvice(given, terminal.cwd);
  const directives = await readDirectives(options, terminal.cwd);
  if (newAdvice === undefined && directives === undefined)
    throw new CliError(exitCodes.usage, 'Give the advice, --advice-file or --directives.');
  const { revision } = await client.json('GET /v1/sessions/{id}/advice', { path: { id } });
  // Undefined members are not sent.
  const body = typedBody<'PUT /v1/sessions/{id}/advice'>({ ...newAdvice, directives });
  const headers = { 'if-match': `"${String(revision)}"` };
  const session = await client.json('PUT /v1/sessions/{id}/advice', { path: { id }, body }, { headers });
  if (options.watch === true)
    return watchSession(client, session.id, { json, colors, verbosity: options.verbosity }, terminal);
  context.print(session, () => [
    `${session.id}: ${session.status}, cycle ${String(session.cycle)}`,
    ...(session.guidance === undefined ? [] : guidanceSentences(session.guidance)),
  ]);
  return exitCodes.ok;
};

const addSet = (advice: Command, connect: Connect): void => {
  const command = withGuidance(advice.command('set'))
    .summary('change the advice of a running or ended session')
    .description(
      'Changes the advice of a session. In a running session, the change takes effect at the next decision, and the running program is not affected. The advice "stop" ends the session after its current cycle. An ended session resumes, as with phx resume. New advice replaces the old advice, and new directives replace all old directives.',
    )
    .argument('<id>', sessionArgument)
    .argument('[advice]', 'guidance in plain words (phx advice preview shows how it is understood)')
    .option('--watch', 'follow the session; the exit code shows how it ended')
    .addOption(verbosityOption())
    .addHelpText(
      'after',
      '\nExample:\n  phx advice set 01jd7v "skip validation and refine twice more"\n  phx advice set 01jd7v stop',
    );
  connect<SetOptions>(command, onSession(set));
};

const addPreview = (advice: Command, connect: Connect): void => {
  connect<{ adviceFile?: string; experiment?: string }>(
    advice
      .command('preview')
      .summary('show how advice in plain words is understood, without a service')
      .description(
        'Reads a text by the rules of the knowledge base and shows what each request means, which words express it, which requests contradict each other and which words no rule follows. ' +
          'Nothing is submitted. See docs/advice.md for what is understood.',
      )
      .argument('[text]', 'the advice')
      .option('--advice-file <file>', 'the advice, from a file')
      .option('--experiment <experiment>', 'xray or cryoem (default: as the text implies)')
      .addHelpText('after', '\nExample:\n  phx advice preview "refine twice and stop"'),
    async (context, [text], { adviceFile, experiment }) => {
      const given = await readAdvice(
        { ...(text !== undefined && { advice: text }), ...(adviceFile !== undefined && { adviceFile }) },
        context.terminal.cwd,
      );
      if (given === undefined) throw new CliError(exitCodes.usage, 'Give the advice, or --advice-file.');
      return loadReadAdvice().showReading(context, given.advice, experiment);
    },
  );
};

export const addAdvice = (program: Command, connect: Connect): void => {
  const advice = program
    .command('advice')
    .summary('preview advice in plain words, or change the advice of a session')
    .addHelpText(
      'after',
      '\nExample:\n  phx advice preview "refine twice and stop"\n  phx advice set 01jd7v "refine twice and stop"',
    );
  addSet(advice, connect);
  addPreview(advice, connect);
};
