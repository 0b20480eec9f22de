import type { Command } from 'commander';
import { isFault } from '@fleet/contracts/faults';
import { CliError } from '../cli-error';
import type * as Offline from '../decide/offline-decisions';
import { explainLines } from '../decide/explain-lines';
import { readRequests } from '../decide/read-requests';
import { exitCodes } from '../exit-codes';
import type { Action, CommandContext, Connect } from '../command-context';

interface DecideOptions {
  readonly explain?: boolean;
  readonly readFiles?: boolean;
}

/** The engine takes a third of a second to load, so only this command loads it. */
const loadEngine = (): typeof Offline => module.require('../decide/offline-decisions') as typeof Offline;

const openEngine = (engine: typeof Offline): ReturnType<typeof Offline.offlineDecisions> => {
  try {
    return engine.offlineDecisions();
  } catch (error) {
    throw isFault(error) ? new CliError(exitCodes.usage, error.message) : error;
  }
};

const decide: Action<DecideOptions> = async (context: CommandContext, names, { explain, readFiles }) => {
  const { api, readFactsOf } = openEngine(loadEngine());
  let refused = false;
  for (const name of names) {
    for (const request of await readRequests(name, context.terminal.cwd, api.transport)) {
      const known = readFiles === true ? await readFactsOf(request) : new Map();
      const response = await api.answerAsRemote(request, known);
      refused ||= response.error !== null;
      const lines = explain === true ? [...explainLines(response, context.paint), ''] : [JSON.stringify(response)];
      context.terminal.out(`${lines.join('\n')}\n`);
    }
  }
  return refused ? exitCodes.refused : exitCodes.ok;
};

export const addDecide = (program: Command, connect: Connect): void => {
  const command = program
    .command('decide')
    .summary('answer v2 decision requests locally, without a service')
    .description(
      'Answers v2 decision requests (one JSON document, a list, or one per line; plain or encoded) with one JSON response per line. ' +
        'No service is needed. Only the rules decide, whichever provider a request names. Each request passes through the full transport encoding. A refused request gets an error response, ' +
        'and the exit code is then 3.',
    )
    .argument('<files...>', 'files with requests; - for standard input')
    .option(
      '--explain',
      'instead of JSON, print why each program is offered or not, and where each part of the command comes from',
    )
    .option(
      '--read-files',
      'read the files on this machine, by Python with gemmi, instead of guessing from their names',
    )
    .addHelpText('after', '\nExample:\n  phx decide request.json --explain');
  connect<{ explain?: boolean; readFiles?: boolean }>(command, decide);
};
