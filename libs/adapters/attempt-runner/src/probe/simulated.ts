import type { InstalledProgram } from '@fleet/contracts/service';
import { firstExecutable, listOf, textField, type Ask } from './ask-program';

/** The scripted stand-ins; a session's settings decide whether they may be used. */
export const askSimulated = async (folders: readonly string[], ask: Ask): Promise<readonly InstalledProgram[]> => {
  const standIn = firstExecutable(folders, 'open-phenix-simulated');
  if (standIn === undefined) return [];
  const list = await listOf(standIn, ['--list', '--json'], ask);
  return (list ?? []).flatMap((entry) => {
    const program = typeof entry === 'string' ? entry : textField(entry, 'name');
    if (program === undefined) return [];
    const version = textField(entry, 'version') ?? textField(entry, 'kitVersion');
    return {
      program,
      provider: 'simulated',
      version: ['simulated', version ?? ''].join(' ').trim(),
      command: [standIn, program],
    };
  });
};
