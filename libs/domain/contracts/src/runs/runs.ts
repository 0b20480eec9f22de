import { nodeMembers } from '../sessions/cycle';
import { filePinSchema } from '../sessions/file-facts';
import { flag, integer, list, number, record, text, type Described } from '../schema/schema';
import { ordinal } from '../schema/schema-fields';
import { priorityOf } from '../launches/shares';

const runInputSchema = record(
  {
    path: text('absolute, resolved: the file that was accepted'),
    name: text("where the copy lies in the attempt's folder of inputs: `1/data.mtz`; the same file has one copy"),
  },
  {
    argument: integer(
      'index of the argument that takes it; absent for a companion, which lies beside the copy of another input and may not be there at all',
    ),
    flag: text('`xray_data.file_name` where that is `xray_data.file_name=<path>`; absent where it is the path alone'),
    joined: text(
      'slot whose files are one content: their copies become one file, which the first of their arguments gives',
    ),
    root: text('folder below which it is opened, no link followed; absent: below none that files may come from'),
    pin: filePinSchema,
  },
);
/**
 * An input file of a program. It is copied to a safe name: the path is the submitter's choice, and programs may interpret it (a line break or
 * `;` begins a parameter, `.eff` a file of parameters). Without a pin its identity was not recorded, and it is used as it is.
 */
export type RunInput = Described<typeof runInputSchema>;

const parameterFileSchema = record({
  name: text(),
  flag: text(),
  number: text('a parameter whose value goes into every block, and whose argument is left out'),
  block: text('with `{index}`, `{path}` and `{number}`'),
});
/** Arguments `<flag>=<path>` become one block each of a file, which replaces the first of them. */
export type RunParameterFile = Described<typeof parameterFileSchema>;

const runCompoundFileSchema = record({
  argument: integer('index of the argument that gives it'),
  flag: text(),
  name: text('`LIG.smi`'),
  smiles: text(),
});
/** A file with the SMILES of a ligand, written only for the run: the argument `<flag>=<name>` gets its path. */
export type RunCompoundFile = Described<typeof runCompoundFileSchema>;

const runOwnerSchema = record(
  {
    sessionId: text(),
    cycle: ordinal(),
    attempt: ordinal(),
    proposal: text(),
    beamline: text(),
    priority: priorityOf,
  },
  { traceId: text('of the trace that the session belongs to; absent: of none') },
);
/** The owner of a run: for labels, quotas and the user that it runs as; not part of the command. */
export type RunOwner = Described<typeof runOwnerSchema>;

/** The request to the backend, as stored in `spec.json`. */
export const runSpecSchema = record(
  {
    name: text('`attemptName(...)`'),
    sessionFolder: text("absolute; the session's folder"),
    attemptFolder: text(
      "relative to the session's folder: `c003-refine/a1`. The program runs in `<attemptFolder>.running`, renamed at the end",
    ),
    program: text(),
    argv: list(text(), "what is executed: the installed program's command followed by the decision's arguments"),
    owner: runOwnerSchema,
    resources: record(
      {
        ...nodeMembers,
        mayFallBack: flag(
          'true: the program runs on a CPU too, so a GPU is waited for only so long (ending `gpu_unavailable`)',
        ),
      },
      {},
      'its kind of node; memory is in `limits`',
    ),
    limits: record({
      wallClock: number('seconds'),
      memoryMiB: number(),
      outputBytes: number('bytes of log after which the program is ended'),
    }),
  },
  {
    inputs: list(runInputSchema, 'files among the arguments; absent: none'),
    parameterFile: parameterFileSchema,
    compoundFile: runCompoundFileSchema,
    source: text('`InstalledProgram.source`: the installation that the command belongs to'),
  },
);
/** Everything that is needed to launch an attempt; two specs with the same name must be the same. */
export type RunSpec = Described<typeof runSpecSchema>;
