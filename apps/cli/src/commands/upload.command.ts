import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import type { UploadView } from '@fleet/contracts/uploads';
import { sendUpload } from '../client/send-upload';
import type { Action, Connect } from '../command-context';

interface UploadOptions {
  readonly proposal: string;
}

const upload: Action<UploadOptions> = async (context, files, { proposal }) => {
  const { client, terminal } = context;
  const uploaded: UploadView[] = [];
  for (const file of files) {
    if (files.length > 1) terminal.err(`(${basename(file)}: sending)\n`);
    uploaded.push(await sendUpload(client, resolve(file), proposal));
  }
  context.print(uploaded, () => uploaded.map(({ path = '' }) => path));
};

export const addUpload = (program: Command, connect: Connect): void => {
  connect<UploadOptions>(
    program
      .command('upload')
      .summary('upload files for submission, if the site allows it')
      .description(
        'Sends files of this machine to a proposal, and prints the paths that they have there, for phx submit. If the connection breaks or the ' +
          'gateway is unavailable, the upload resumes by itself. Each file is checked on arrival; files are never overwritten. They are sent one after the other; uploaded files ' +
          'are kept if another one is refused.',
      )
      .argument('<file...>', 'files on this machine')
      .requiredOption('--proposal <name>', 'one of your proposals, to which the files belong')
      .addHelpText('after', '\nExample:\n  phx upload model.pdb sequence.fa --proposal mx1234'),
    upload,
  );
};
