import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Verbosity } from '@fleet/contracts/sessions';
import { typedBody } from '../client/typed-body';
import { exitCodes } from '../exit-codes';
import { watchSession } from '../watch/watch-session';
import { onSession, sessionArgument, type Action, type Connect } from '../command-context';
import {
  readInstructions,
  readLigands,
  withInstructions,
  withLigands,
  type InstructionOptions,
  type LigandOptions,
} from '../read-options';
import { verbosityOption } from './verbosity-option';

interface ResumeOptions extends InstructionOptions, LigandOptions {
  readonly watch?: boolean;
  readonly verbosity: Verbosity;
}

const resume: Action<ResumeOptions> = async (context, [id = '', ...files], options) => {
  const { client, terminal, json, colors } = context;
  // Undefined members are not sent.
  const body = {
    files: files.length === 0 ? undefined : files.map((file) => resolve(terminal.cwd, file)),
    ligands: readLigands(options),
    ...(await readInstructions(options, terminal.cwd)),
  };
  const session = await client.json('POST /v1/sessions/{id}/resume', {
    path: { id },
    body: typedBody<'POST /v1/sessions/{id}/resume'>(body),
  });
  if (options.watch === true)
    return watchSession(client, session.id, { json, colors, verbosity: options.verbosity }, terminal);
  context.print(session, () => [`${session.id}: ${session.status}, cycle ${String(session.cycle)}`]);
  return exitCodes.ok;
};

export const addResume = (program: Command, connect: Connect): void => {
  const command = withInstructions(withLigands(program.command('resume')))
    .summary('resume an ended session')
    .description(
      'Resumes an ended session with its next cycle. New advice, directives and ligands replace the old ones, and each new setting replaces its old value. Files named here, such as a missing dictionary, are added to its files.',
    )
    .argument('<id>', sessionArgument)
    .argument('[files...]', "files to add, on the gateway's machine (see phx submit)")
    .option('--watch', 'follow the session; the exit code shows how it ended')
    .addOption(verbosityOption())
    .addHelpText(
      'after',
      '\nExample:\n  phx resume 01jd7v9s6m2x4k8q0w5c3b1n7r --set max_cycles=40 --watch\n  phx resume 01jd7v LIG.cif --watch\n  phx resume 01jd7v --ligand NAG --watch',
    );
  connect<ResumeOptions>(command, onSession(resume));
};
