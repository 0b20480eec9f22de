import { realpath } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { ownerIn, type DataRoot } from '@fleet/access';
import { errnoOf, Fault } from '@fleet/contracts/faults';
import { isEnded, type Session, type SessionRequest } from '@fleet/contracts/sessions';
import { movedCycles, movedFiles } from '@fleet/files';
import { isInside } from '@fleet/untrusted-files';

/** Maximum missing files that are listed. */
const maxMissing = 20;
/** Paths resolved in parallel. */
const together = 16;
/** Errors of a missing or inaccessible file. Any other error is an infrastructure failure. */
const notThere: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'ENAMETOOLONG'];

const realPathOf = async (path: string): Promise<string | undefined> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (notThere.includes(errnoOf(error) ?? '')) return undefined;
    throw new Fault('storage.unreadable', 'transient', `${path} cannot be looked up`, { cause: error });
  }
};

/** The configured and the resolved path: records contain either form. */
const formsOf = async (folder: string): Promise<readonly string[]> => {
  const real = await realPathOf(folder);
  return real === undefined ? [resolve(folder)] : [resolve(folder), real];
};

/**
 * Adapts a record to a moved work root: paths below the old one become paths below this one.
 * @param home the session's folder
 */
const movedHome = (session: Session, home: string): Session => {
  const before = dirname(dirname(resolve(session.folder)));
  const now = dirname(dirname(home));
  if (before === now || before === '/') return { ...session, folder: home };
  return {
    ...session,
    folder: home,
    request: { ...session.request, inputs: movedFiles(session.request.inputs, before, now) },
    cycles: movedCycles(session.cycles, before, now),
  };
};

/** The name of a path of the record, and its allowed location. */
interface Named {
  readonly field: string;
  readonly path: string;
  readonly own: boolean;
}

/** Finds an absolute path in a command's token. */
const pathInToken = /^(?:[^/=]{0,200}=)?["']?(\/.*?)["']?$/s;

/** Tokens of a command that would still be run. Those of other cycles are only reported. */
const pathsOfCommand = (session: Session): readonly Named[] => {
  const current = session.cycles.at(-1);
  if (isEnded(session.status) || current === undefined || current.cycle !== session.cycle) return [];
  return current.decision.argv.slice(1).flatMap((token) => {
    const [, path] = pathInToken.exec(token) ?? [];
    return path === undefined ? [] : [{ field: `the command of cycle ${String(current.cycle)}`, path, own: false }];
  });
};

const pathsOf = (session: Session): readonly Named[] => [
  ...session.request.inputs.map(({ path }) => ({ field: 'a submitted file', path, own: false })),
  ...session.cycles.flatMap(({ cycle, decision, result }) => [
    ...decision.inputs.map(({ path }) => ({ field: `an input of cycle ${String(cycle)}`, path, own: false })),
    ...(result?.outputs ?? []).map(({ path }) => ({ field: `an output of cycle ${String(cycle)}`, path, own: true })),
  ]),
  ...pathsOfCommand(session),
];

const allowedWords = 'the data folders (FLEET_DATA_ROOTS) and the work folder';

/** Rules for a record's paths. */
export interface PathRules {
  /** Allowed folders. */
  readonly roots: readonly DataRoot[];
  /**
   * Whether this installation wrote the record: then the submitter's access to its files was checked. Otherwise its
   * proposal must allow them.
   */
  readonly isAuthentic: boolean;
}

const isOf = (root: DataRoot, names: readonly string[], proposal: string): boolean => {
  const owner = ownerIn(root, names);
  return owner.of === 'proposal' ? owner.proposal === proposal : owner.of === 'everybody' || root.levels.length === 0;
};

/** Whether a path is in one of the roots, judged by the most specific one. */
const allowedIn = async (
  { roots, isAuthentic }: PathRules,
  { proposal }: Pick<SessionRequest, 'proposal'>,
): Promise<(path: string) => boolean> => {
  const forms = await Promise.all(
    roots.map(async (root) => (await formsOf(root.folder)).map((folder) => ({ ...root, folder }))),
  );
  const places = forms.flat().sort((one, other) => other.folder.length - one.folder.length);
  return (path) => {
    const root = places.find(({ folder }) => isInside(folder, path));
    return root !== undefined && (isAuthentic || isOf(root, relative(root.folder, path).split(sep), proposal));
  };
};

export interface CheckedPaths {
  readonly session: Session;
  readonly missingFiles: readonly string[];
}

/**
 * Resolves every path of a record again, like those of a submission.
 * @param home the session's folder, which contains the outputs
 * @throws Fault `file.outside_root`
 */
export const checkPaths = async (recorded: Session, home: string, rules: PathRules): Promise<CheckedPaths> => {
  const session = movedHome(recorded, home);
  const own = await formsOf(home);
  const isOwn = (path: string): boolean => own.some((folder) => isInside(folder, path));
  const isAllowed = await allowedIn(rules, session.request);
  const refused = ({ field, path }: Named, how: string): Fault =>
    new Fault('file.outside_root', 'caller', `${home}: ${field}, ${JSON.stringify(path)}, ${how} ${allowedWords}.`);
  const once = [...new Map(pathsOf(session).map((named) => [`${String(named.own)} ${named.path}`, named])).values()];
  const missing = new Set<string>();
  const checkOne = async (named: Named): Promise<void> => {
    // A record contains resolved paths; one with `..` was never resolved.
    if (!(named.own ? isOwn : isAllowed)(named.path) || resolve(named.path) !== named.path)
      throw refused(named, named.own ? 'is not in its session folder, which is below' : 'lies outside');
    const real = await realPathOf(named.path);
    if (real === undefined) missing.add(named.path);
    else if (!isAllowed(real)) throw refused(named, 'leads outside');
  };
  for (let from = 0; from < once.length; from += together)
    await Promise.all(once.slice(from, from + together).map(checkOne));
  return { session, missingFiles: [...missing].sort().slice(0, maxMissing) };
};
