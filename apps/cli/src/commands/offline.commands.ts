import type { Command } from 'commander';
import type * as AnalyseLog from '../offline/analyse-log';
import type * as ExplainFiles from '../offline/explain-files';
import type * as ShowKnowledge from '../offline/show-knowledge';
import type * as ValidateKnowledge from '../offline/validate-knowledge';
import type { Connect } from '../command-context';

// Loaded on demand: knowledge, schemas and log readers would slow every other command down.
const loadAnalyseLog = () => module.require('../offline/analyse-log') as typeof AnalyseLog;
const loadExplainFiles = () => module.require('../offline/explain-files') as typeof ExplainFiles;
const loadShow = () => module.require('../offline/show-knowledge') as typeof ShowKnowledge;
const loadValidate = () => module.require('../offline/validate-knowledge') as typeof ValidateKnowledge;

const addKnowledge = (program: Command, connect: Connect): void => {
  const knowledge = program
    .command('knowledge')
    .summary('show and check the knowledge base')
    .description(
      'Shows and checks the knowledge base (FLEET_KNOWLEDGE_DIR, or the one shipped with phx). No service is needed.',
    )
    .addHelpText('after', '\nExample:\n  phx knowledge validate --all\n  phx knowledge show phenix.refine');
  connect<{ all?: boolean }>(
    knowledge
      .command('validate')
      .summary('check one program or all, across every file and against the code')
      .description(
        'Checks schemas, names across files, patterns as the code compiles them, and metrics without a description. Exits with 2 if anything is wrong.',
      )
      .argument('[program]', 'check this program only')
      .option('--all', 'all programs (the default)')
      .addHelpText('after', '\nExample:\n  phx knowledge validate refine'),
    (context, [name], { all = false }) => loadValidate().validateKnowledge(context, name, all),
  );
  connect<object>(
    knowledge
      .command('show')
      .summary('list the programs, or show what is known about one')
      .argument('[program]', 'with or without "phenix."')
      .addHelpText('after', '\nExample:\n  phx knowledge show real_space_refine'),
    (context, [name]) => loadShow().showKnowledge(context, name),
  );
};

/** Commands that need no service. */
export const addOfflineCommands = (program: Command, connect: Connect): void => {
  connect<{ program?: string }>(
    program
      .command('analyse')
      .summary("read a program's log locally, without a service")
      .description(
        'Reads the metrics in a log, each with its line and the pattern that found it, and explains what is wrong with the run, in plain words if the error is known. ' +
          'The program is the one named in the first lines of the log or by --program. It is never guessed. Exits with 6 if the run failed.',
      )
      .argument('<log>', 'the log')
      .option('--program <program>', 'the program that wrote the log, with or without "phenix."')
      .addHelpText('after', '\nExample:\n  phx analyse refine_001.log --program phenix.refine'),
    (context, [log = ''], { program: given }) => loadAnalyseLog().analyseLog(context, log, given),
  );
  connect<object>(
    program
      .command('classify')
      .summary('show how the agent classifies files, and why, without a service')
      .description(
        'Reads files (for a folder: the files directly in it) and shows for each what it holds, its categories with the reason for each, and the purposes for which it is the best file. ' +
          'Exits with 2 if a file cannot be used.',
      )
      .argument('<paths...>', 'files and folders')
      .addHelpText(
        'after',
        '\nThe files are read by gemmi, which needs Python 3.10 or newer with gemmi and numpy (FLEET_INSPECTION_PYTHON names it).\n\nExample:\n  phx classify data.mtz model.pdb LIG.cif',
      ),
    (context, paths) => loadExplainFiles().explainFiles(context, paths),
  );
  addKnowledge(program, connect);
};
