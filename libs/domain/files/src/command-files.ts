import type { DecisionRecord, SessionFile } from '@fleet/contracts/sessions';
import { inputName } from './input-names';

/** An argument of a command with an input file. */
export interface CommandFile {
  /** Index in the command; 0 is the program's name. */
  readonly argument: number;
  /** `xray_data.file_name` if the argument is `xray_data.file_name=<path>`; absent if it is only the path. */
  readonly flag?: string;
  readonly path: string;
  /** The session's file of that path; absent if the session does not know it. */
  readonly file?: SessionFile;
  /** The program's copy in its attempt's folder of inputs: `1/data.mtz`. Each file has its own folder, so that names cannot collide. */
  readonly name: string;
}

/** A parameter's name and its value, quoted or not. A path begins with `/`, so it never matches. */
const parameterForm = /^([A-Za-z_][\w.]*)=(.*)$/s;

/** As quoted by `buildCommand`: a backslash before a quote or a backslash. */
const unquoted = (text: string): string => {
  const quote = text.at(0);
  const isQuoted = text.length >= 2 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : text;
};

const pathIn = (token: string, paths: ReadonlySet<string>): Pick<CommandFile, 'flag' | 'path'> | undefined => {
  if (paths.has(token)) return { path: token };
  const [, flag, value = ''] = parameterForm.exec(token) ?? [];
  const path = [value, unquoted(value)].find((candidate) => paths.has(candidate));
  return flag === undefined || path === undefined ? undefined : { flag, path };
};

/**
 * The arguments of a decided command with its input files, according to the decision's list.
 * @param files the session's
 */
export const commandFiles = (
  { argv, inputs }: Pick<DecisionRecord, 'argv' | 'inputs'>,
  files: readonly SessionFile[],
): readonly CommandFile[] => {
  const known = new Map(files.map((file) => [file.path, file]));
  const paths = new Set(inputs.map(({ path }) => path));
  const found = argv.flatMap((token, argument) => {
    const given = argument === 0 ? undefined : pathIn(token, paths);
    return given === undefined ? [] : [{ argument, ...given }];
  });
  const order = [...new Set(found.map(({ path }) => path))];
  return found.map((given) => {
    const file = known.get(given.path);
    const name = `${String(order.indexOf(given.path) + 1)}/${inputName(given.path, file?.facts.format)}`;
    return { ...given, ...(file !== undefined && { file }), name };
  });
};
