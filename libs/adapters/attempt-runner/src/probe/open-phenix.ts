import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { InstalledProgram } from '@fleet/contracts/service';
import { executableIn, firstExecutable, listOf, textField, type Ask } from './ask-program';

const headBytes = 4096;
/** The command in every launcher of the kit. */
const kitMark = 'open_phenix';

/** Whether a `phenix.*` command is the kit's launcher under PHENIX's name, wherever it was linked to. */
export const isKitLauncher = (file: string): boolean => {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    const length = readSync(handle, head, 0, headBytes, 0);
    const text = head.toString('latin1', 0, length);
    return text.startsWith('#!') && text.includes(kitMark);
  } finally {
    closeSync(handle);
  }
};

/** The programs of the first kit in these folders. */
export const askKit = async (folders: readonly string[], ask: Ask): Promise<readonly InstalledProgram[]> => {
  const kit = firstExecutable(folders, 'open-phenix');
  if (kit === undefined) return [];
  const list = await listOf(kit, ['list', '--json'], ask);
  return (list ?? []).flatMap((entry) => kitProgram(kit, entry, ask) ?? []);
};

const kitProgram = (kit: string, entry: unknown, ask: Ask): InstalledProgram | undefined => {
  const program = textField(entry, 'name');
  if (program === undefined) {
    ask.onWarning(`${kit} lists a program without a name`);
    return undefined;
  }
  const reason = textField(entry, 'reason');
  if (reason !== undefined) {
    ask.onWarning(`${program} of the open-phenix kit cannot run: ${reason}`);
    return undefined;
  }
  const file = executableIn(dirname(kit), program);
  if (file === undefined) {
    ask.onWarning(`${program} is in the open-phenix kit, but ${join(dirname(kit), program)} cannot be executed`);
    return undefined;
  }
  const version = [textField(entry, 'engine') ?? 'open-phenix', textField(entry, 'engineVersion') ?? '']
    .join(' ')
    .trim();
  return { program, provider: 'open-phenix', version, command: [file] };
};
