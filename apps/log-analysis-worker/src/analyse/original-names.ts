import { attemptFiles, attemptFolder, cycleFolder, runningSuffix } from '@fleet/contracts/runs';
import type { CycleRecord, CycleResult, Session } from '@fleet/contracts/sessions';
import { baseName, commandFiles, sessionFiles, type CommandFile } from '@fleet/files';
import { shownPath } from '@fleet/untrusted-files';

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** The path of a copy, from the blank or the sign before it on; what follows a dot is another file's name. */
const mentionOf = (folder: string, { name }: CommandFile): RegExp =>
  new RegExp(String.raw`[^\s"'=,:;()]*${literally(`${folder}/${name}`)}(?!\.?[A-Za-z0-9_-])`, 'g');

/** Whether the original's path can stand in a line in place of the copy's, and says at its end what that said. */
const isPlain = ({ path, name }: CommandFile): boolean => shownPath(path) === path && baseName(path) === baseName(name);

const explanation = (file: CommandFile): string => `${file.name} is ${shownPath(file.path)}`;

/**
 * A result in which files have the names that the session knows: programs are given copies, and their logs tell the copies' paths. Where
 * the original's name would mislead a reader, or the copy has another, a line of its own says which file it is.
 */
export const withOriginalNames = (
  result: CycleResult,
  session: Session,
  { cycle, decision }: Pick<CycleRecord, 'cycle' | 'decision'>,
): CycleResult => {
  if (result.errorLines.length === 0 && result.outcome === 'success') return result;
  const folder = `${attemptFolder(cycleFolder(cycle, decision.program), session.attempt)}${runningSuffix}/${attemptFiles.inputs}`;
  const files = [...new Map(commandFiles(decision, sessionFiles(session)).map((file) => [file.name, file])).values()];
  const renamed = (line: string): string =>
    files.reduce(
      (text, file) => text.replaceAll(mentionOf(folder, file), () => (isPlain(file) ? file.path : file.name)),
      line,
    );
  const lines = result.errorLines.map(renamed);
  const others = files.filter((file) => !isPlain(file) && lines.some((line) => line.includes(baseName(file.name))));
  return { ...result, summary: renamed(result.summary), errorLines: [...lines, ...others.map(explanation)] };
};
