import { attemptFiles, attemptFolder, cycleFolder, runningSuffix } from '@fleet/contracts/runs';
import type { CycleRecord, CycleResult, Session } from '@fleet/contracts/sessions';
import { baseName, commandFiles, sessionFiles, type CommandFile } from '@fleet/files';
import { shownPath } from '@fleet/untrusted-files';

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** Matches the path of a copy, including the preceding blank or sign; after a dot it is another file's name. */
const mentionOf = (folder: string, { name }: CommandFile): RegExp =>
  new RegExp(String.raw`[^\s"'=,:;()]*${literally(`${folder}/${name}`)}(?!\.?[A-Za-z0-9_-])`, 'g');

/** Whether the original's path can replace the copy's in a line, with the same ending. */
const isPlain = ({ path, name }: CommandFile): boolean => shownPath(path) === path && baseName(path) === baseName(name);

const explanation = (file: CommandFile): string => `${file.name} is ${shownPath(file.path)}`;

/**
 * A result with the file names that the session uses: programs receive copies, and their logs contain the copies'
 * paths. If the original's name would be misleading, or the copy has another name, a separate line explains it.
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
