import { releaseVersion } from '@fleet/contracts/service';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addAdmin } from './commands/admin.commands';
import { addAdvice } from './commands/advice.commands';
import { addBatch } from './commands/batch/batch.commands';
import { addBundle } from './commands/bundle.commands';
import { addCancel } from './commands/cancel.command';
import { connector } from './command-context';
import { addCompletion } from './commands/completion.command';
import { addDecide } from './commands/decide.command';
import { addFork } from './commands/fork.command';
import { addList } from './commands/list.command';
import { addLogin } from './commands/login.commands';
import { addLogs } from './commands/logs.command';
import { addOfflineCommands } from './commands/offline.commands';
import { addPriority } from './commands/priority.command';
import { addRemoveLast } from './commands/remove-last.command';
import { addResults } from './commands/results.command';
import { addResume } from './commands/resume.command';
import { addPin } from './commands/retention.commands';
import { addRecover } from './commands/recover.command';
import { addServiceCommands } from './commands/service.commands';
import { addShow } from './commands/show.command';
import { addPrompt } from './commands/prompt.command';
import { addAssess } from './commands/assess.command';
import { addReplay } from './commands/replay.command';
import { addTrace } from './commands/trace.command';
import { addSummariseLog } from './commands/summarise-log.command';
import { addStats } from './commands/stats.command';
import { addSubmit } from './commands/submit.command';
import { addUpload } from './commands/upload.command';
import { addWatchFolder } from './commands/watch-folder.command';
import { addWatch } from './commands/watch.command';
import { addWebhooks } from './commands/webhooks.commands';
import { exitCodeHelp, type ExitCode } from './exit-codes';
import type { Terminal } from './terminal';

const defaultServer = 'http://127.0.0.1:8080';

const readServer = (text: string): string => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('Expected an http or https URL.');
  }
  if (url.search === '' && url.hash === '' && url.username === '' && url.password === '') return text;
  throw new InvalidArgumentError('The URL must not contain a user, query or fragment. A path is allowed.');
};

/**
 * The command line.
 * @param done receives the exit code of the command that ran
 */
export const buildProgram = (terminal: Terminal, done: (code: ExitCode) => void): Command => {
  const program = new Command('phx')
    .description('Submits datasets to phenix-fleet and follows them until their structures are solved.')
    .version(releaseVersion, '-V, --version', 'print the version of phx')
    .addOption(
      new Option('--server <url>', 'URL of the gateway').env('PHX_SERVER').default(defaultServer).argParser(readServer),
    )
    .option('--json', 'print JSON: one document, or one per line for watch and logs', false)
    .option('--no-color', 'disable colours (also: NO_COLOR)')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .showHelpAfterError('(see phx COMMAND --help)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
    })
    .addHelpText('after', `\nExample:\n  phx submit data.mtz model.pdb --watch\n\n${exitCodeHelp}`);
  const connect = connector(terminal, done);
  addSubmit(program, connect);
  addUpload(program, connect);
  addWatch(program, connect);
  addShow(program, connect);
  addAssess(program, connect);
  addSummariseLog(program, connect);
  addTrace(program, connect);
  addReplay(program, connect);
  addPrompt(program, connect);
  addLogs(program, connect);
  addCancel(program, connect);
  addAdvice(program, connect);
  addResume(program, connect);
  addFork(program, connect);
  addPriority(program, connect);
  addPin(program, connect);
  addRemoveLast(program, connect);
  addList(program, connect);
  addStats(program, connect);
  addResults(program, connect);
  addBatch(program, connect);
  addWatchFolder(program, connect);
  addWebhooks(program, connect);
  addDecide(program, connect);
  addOfflineCommands(program, connect);
  addServiceCommands(program, connect);
  addRecover(program, connect);
  addLogin(program, connect);
  addAdmin(program, connect);
  addBundle(program, connect);
  addCompletion(program, connect);
  return program;
};
