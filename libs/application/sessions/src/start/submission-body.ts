import { routes } from '@fleet/contracts/routes';
import { withDefaults } from '@fleet/contracts/schema';
import { submissionSchema, type RequestedLigand, type Submission } from '@fleet/contracts/sessions';
import { collectBody, isRecord, type ProblemList } from '@fleet/problems';
import { filesOf } from '../request/files-of';
import { readLigands } from '../request/read-ligands';

/** The body of a submission, with defaults for its text fields; settings and directives are not validated yet. */
export interface SubmissionBody extends Required<
  Pick<Submission, 'title' | 'advice' | 'proposal' | 'beamline' | 'submitter' | 'priority' | 'strict'>
> {
  readonly files: readonly string[];
  /** Not validated yet, see `readSettings`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Not validated yet, see `readDirectives`. */
  readonly directives: unknown;
  /** Each SMILES with its id. */
  readonly ligands?: readonly RequestedLigand[];
  readonly sample?: string;
  /** Name of the file from which the advice was read. */
  readonly adviceFile?: string;
  /** A folder with further files and a README; not inspected yet. */
  readonly inputDirectory?: string;
}

/** Reads the body's shape. Problems are added to `problems`; the result is then invalid. */
export const readSubmissionBody = (body: unknown, problems: ProblemList): SubmissionBody => {
  const {
    settings = {},
    directives,
    advice_file,
    input_directory,
    ligands,
    sample,
    ...texts
  } = collectBody(routes.sessions.submit, body, problems);
  if (isRecord(body) && (body.files ?? body.input_directory) === undefined)
    problems.add('field.missing', 'files', 'is missing', 'a list of absolute paths, or input_directory');
  const { title, advice, proposal, beamline, submitter, priority, strict } = withDefaults(
    submissionSchema,
    texts,
  ) as Required<Submission>;
  const source = {
    ...(sample !== undefined && { sample }),
    ...(advice_file !== undefined && { adviceFile: advice_file }),
    ...(input_directory !== undefined && { inputDirectory: input_directory }),
  };
  const textFields = {
    ...{ title, advice, proposal, beamline, submitter, priority, strict },
    ...readLigands(ligands, problems),
    ...source,
  };
  return { files: filesOf(body), ...textFields, settings: { ...settings }, directives };
};
