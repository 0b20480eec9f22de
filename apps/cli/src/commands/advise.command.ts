import type { Command } from 'commander';
import type { Verbosity } from '@fleet/contracts';
import { guidanceSentences } from '@fleet/session-report';
import { CliError } from '../cli-error';
import { typedBody } from '../client/typed-body';
import { exitCodes } from '../exit-codes';
import { watchSession } from '../watch/watch-session';
import { onSession, sessionArgument, type Action, type Connect } from './command-context';
import { readAdvice, readDirectives, withWishes, type AdviceOptions, type DirectiveOptions } from './read-options';
import { verbosityOption } from './verbosity-option';

interface AdviseOptions extends AdviceOptions, DirectiveOptions {
  readonly watch?: boolean;
  readonly verbosity: Verbosity;
}

const advise: Action<AdviseOptions> = async (context, [id = '', text], options) => {
  const { client, terminal, json, colors } = context;
  const given = { ...options, ...(text !== undefined && { advice: text }) };
  const said = await readAdvice(given, terminal.cwd);
  const directives = await readDirectives(options, terminal.cwd);
  if (said === undefined && directives === undefined)
    throw new CliError(exitCodes.usage, 'Give the advice, --advice-file or --directives.');
  const { revision } = await client.json('GET /v1/sessions/{id}/advice', { path: { id } });
  // Members that are undefined are not sent.
  const body = typedBody<'PUT /v1/sessions/{id}/advice'>({ ...said, directives });
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

export const addAdvise = (program: Command, connect: Connect): void => {
  const command = withWishes(program.command('advise'))
    .summary('change what is asked for, while a session runs or after it')
    .description(
      'Changes the advice of a session. While it runs, the change counts from its next decision on, and the running program is not disturbed; "stop" alone ends the session after its present cycle. A session that has ended continues, as with phx resume. What was said before is replaced; directives that are given replace all that there were.',
    )
    .argument('<id>', sessionArgument)
    .argument('[advice]', 'what is asked for, in plain words (see phx advice, which previews it)')
    .option('--watch', 'follow the session; the exit code says how it ended')
    .addOption(verbosityOption())
    .addHelpText(
      'after',
      '\nExample:\n  phx advise 01jd7v "skip validation and refine twice more"\n  phx advise 01jd7v stop',
    );
  connect<AdviseOptions>(command, onSession(advise));
};
