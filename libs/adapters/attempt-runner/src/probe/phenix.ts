import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { answerOf, executableIn, type Ask } from './ask-program';

/** Where releases of PHENIX keep their commands (1.x: `build/bin`, 2.x: `phenix_bin` or `bin`). */
const binFolders = ['build/bin', 'phenix_bin', 'bin'];

/** The command folders of a configured installation, or the folder itself if it is one. */
export const binFoldersOf = (installation: string): readonly string[] => {
  const inside = binFolders.map((name) => join(installation, name)).filter((folder) => existsSync(folder));
  return executableIn(installation, 'phenix.refine') === undefined ? inside : [installation, ...inside];
};

/**
 * The version of the PHENIX whose commands are in `folder`, for example `PHENIX 1.21.2-5419`: from `phenix.version`, a
 * VERSION file, or the installation folder's name. Undefined, with a warning, if `phenix.version` exists but does not
 * run: every program of that installation would fail.
 */
export const phenixVersion = async (folder: string, ask: Ask): Promise<string | undefined> => {
  const command = executableIn(folder, 'phenix.version');
  if (command !== undefined) {
    const answer = await answerOf(command, [], ask);
    if (answer === undefined) {
      ask.onWarning(`the PHENIX in ${folder} does not run; its programs are skipped`);
      return undefined;
    }
    const version = readVersion(answer);
    if (version !== undefined) return `PHENIX ${version}`;
  }
  const fromFiles = versionFromFiles(folder);
  if (fromFiles === undefined) ask.onWarning(`the PHENIX in ${folder} does not report its version`);
  return `PHENIX ${fromFiles ?? '(unknown version)'}`;
};

/** Reads `Version: 1.21.2` and `Release tag: 5419`, or a bare `2.0-5793`; nightly builds call themselves `dev-5430`. */
export const readVersion = (answer: string): string | undefined => {
  const version =
    /version\s*[:=]?\s*v?((?:\d|dev)[\w.+-]*)/i.exec(answer)?.[1] ?? /^\s*(\d+\.\d[\w.+-]*)\s*$/m.exec(answer)?.[1];
  const tag = /release tag\s*[:=]?\s*(\w+)/i.exec(answer)?.[1];
  if (version === undefined) return undefined;
  return tag === undefined || version.includes(tag) ? version : `${version}-${tag}`;
};

const versionFromFiles = (folder: string): string | undefined => {
  for (const root of [dirname(folder), dirname(dirname(folder))]) {
    for (const name of ['VERSION', 'PHENIX_VERSION']) {
      const file = join(root, name);
      if (existsSync(file)) return readFileSync(file, 'utf8').trim().split(/\s/)[0];
    }
    const named = /phenix-(\d[\w.+-]*)$/i.exec(root)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
};
