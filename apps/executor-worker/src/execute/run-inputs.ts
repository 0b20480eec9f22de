import type { RunInput } from '@fleet/contracts/runs';
import type { CycleRecord, Session } from '@fleet/contracts/sessions';
import { commandFiles, sessionFiles } from '@fleet/files';
import { isInside } from '@fleet/untrusted-files';

/** The narrowest folder that a file may come from: files in the session's own folder were created by its programs. */
const rootOf = (path: string, { folder }: Session, roots: readonly string[]): string | undefined =>
  [folder, ...roots].filter((root) => isInside(root, path)).sort((one, other) => other.length - one.length)[0];

/**
 * A stand-in presents a prepared answer for what it cannot compute, beside a sequence: `seq.simulated.pdb` for
 * `seq.fasta`.
 */
const simulatedAnswer = (path: string): string => path.replace(/\.[^./]*$/, '') + '.simulated.pdb';

/**
 * The answers beside the sequences, for simulated programs.
 * @param inputs of the command
 */
export const simulatedAnswers = (inputs: readonly RunInput[], sequences: ReadonlySet<string>): readonly RunInput[] =>
  inputs
    .filter(({ path }) => sequences.has(path))
    .map(({ path, root, name }) => ({
      path: simulatedAnswer(path),
      ...(root !== undefined && { root }),
      name: simulatedAnswer(name),
    }));

/** Submitted sequences, by path. */
export const sequencesOf = ({ request }: Session): ReadonlySet<string> =>
  new Set(request.inputs.filter(({ facts }) => facts.format === 'sequence').map(({ path }) => path));

/**
 * The files of a cycle's command, for the supervisor, which gives the program copies of them.
 * @param shift number of additional words of the installed command compared to the program's name
 * @param roots resolved
 * @param joinedSlots whose files are joined for the program
 */
export const runInputs = (
  session: Session,
  { decision }: CycleRecord,
  shift: number,
  roots: readonly string[],
  joinedSlots: ReadonlySet<string> = new Set(),
): readonly RunInput[] => {
  const slots = new Map(decision.inputs.map(({ slot, path }) => [path, slot]));
  return commandFiles(decision, sessionFiles(session)).map(({ argument, flag, path, file, name }) => {
    const root = rootOf(path, session, roots);
    const slot = slots.get(path) ?? '';
    return {
      argument: argument + shift,
      ...(flag !== undefined && { flag }),
      path,
      ...(joinedSlots.has(slot) && { joined: slot }),
      ...(root !== undefined && { root }),
      name,
      ...(file?.pin !== undefined && { pin: file.pin }),
    };
  });
};
