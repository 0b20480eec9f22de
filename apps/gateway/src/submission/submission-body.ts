import { longestAdvice } from '@fleet/contracts';
import { shown, type ProblemList } from './problem-list';

/** What a submitter may send, with the right types and nothing else checked. */
export interface SubmissionBody {
  readonly files: readonly string[];
  readonly title: string;
  readonly advice: string;
  readonly proposal: string;
  readonly beamline: string;
  readonly submitter: string;
  /** Not checked yet: `readSettings` does that. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Not checked yet: `readDirectives` does that. */
  readonly directives: unknown;
}

interface TextField {
  readonly default: string;
  /** Characters. */
  readonly longest: number;
  readonly pattern: RegExp;
  readonly allowed: string;
  readonly what: string;
}

const folderName = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.))*$/;
const oneLine = /^[^\p{Cc}]*$/u;
const folderNameAllowed = 'letters, digits, ".", "_" and "-", starting with a letter or digit';

/** The text fields of a submission; the OpenAPI schema is made from this table too. */
export const textFields = {
  title: {
    default: '',
    longest: 200,
    pattern: oneLine,
    allowed: 'one line of text',
    what: 'a name for people; by default the name of the first file',
  },
  advice: {
    default: '',
    longest: longestAdvice,
    // A NUL ends strings in the programs that would read it.
    pattern: /^[^\0]*$/,
    allowed: 'text without NUL characters',
    what: 'a note in plain words: kept, not followed yet; what is to be followed goes into settings and directives',
  },
  proposal: {
    default: 'none',
    longest: 64,
    pattern: folderName,
    allowed: folderNameAllowed,
    what: 'the proposal the data belong to; results lie in a folder of this name',
  },
  beamline: {
    default: '',
    longest: 64,
    pattern: new RegExp(`^$|${folderName.source}`),
    allowed: folderNameAllowed,
    what: 'the beamline or microscope',
  },
  submitter: { default: '', longest: 200, pattern: oneLine, allowed: 'one line of text', what: 'who submits' },
} as const satisfies Record<string, TextField>;
type TextFieldName = keyof typeof textFields;

const fieldNames: readonly string[] = ['files', 'settings', 'directives', ...Object.keys(textFields)];

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads one of the text fields; the default where it is absent. */
export const readText = (
  body: Readonly<Record<string, unknown>>,
  name: TextFieldName,
  problems: ProblemList,
): string => {
  const rule: TextField = textFields[name];
  const value = body[name] ?? rule.default;
  if (typeof value !== 'string') {
    problems.add('field.type', name, `must be text, not ${shown(value)}`, rule.allowed);
    return rule.default;
  }
  if (value.length > rule.longest) {
    const length = `${String(value.length)} characters`;
    problems.add('field.too_long', name, `has ${length}`, `at most ${String(rule.longest)} characters`);
  } else if (!rule.pattern.test(value)) {
    problems.add(
      'field.value',
      name,
      `${shown(value)} is not ${name === 'advice' ? 'usable' : `a ${name}`}`,
      rule.allowed,
    );
  }
  return value;
};

/** Reads a list of paths; what is in them is not looked at. */
export const readFiles = (value: unknown, problems: ProblemList): readonly string[] => {
  const allowed = 'a list of absolute paths';
  if (value === undefined || value === null) {
    problems.add('field.missing', 'files', 'is missing', allowed);
    return [];
  }
  if (!Array.isArray(value)) {
    problems.add('field.type', 'files', `must be a list, not ${shown(value)}`, allowed);
    return [];
  }
  const entries: readonly unknown[] = value;
  if (entries.length === 0) problems.add('files.none', 'files', 'no file was given', 'at least one file');
  entries.forEach((entry, index) => {
    if (typeof entry !== 'string') {
      problems.add('field.type', `files[${String(index)}]`, `must be a path, not ${shown(entry)}`, 'an absolute path');
    } else if (entry === '') {
      problems.add('file.bad_name', `files[${String(index)}]`, 'is empty', 'an absolute path');
    }
  });
  // Places are kept, so that a later problem names the entry by the number it has in the request; what is empty was reported here.
  return entries.map((entry) => (typeof entry === 'string' ? entry : ''));
};

/** Reads the shape of `settings`; `readSettings` checks what is in it. */
export const readSettingsObject = (value: unknown, problems: ProblemList): Readonly<Record<string, unknown>> => {
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  problems.add('field.type', 'settings', `must be an object, not ${shown(value)}`, 'an object of settings');
  return {};
};

/** Reads the body's shape. Whatever is wrong goes to `problems`; the result is then to be thrown away. */
export const readSubmissionBody = (body: unknown, problems: ProblemList): SubmissionBody => {
  const isObject = isRecord(body);
  if (!isObject) problems.add('field.type', 'body', `must be a JSON object, not ${shown(body)}`);
  const members = isObject ? body : {};
  for (const name of Object.keys(members).filter((key) => !fieldNames.includes(key))) {
    problems.addUnknown('field.unknown', name, 'is not a field of a submission', name, fieldNames);
  }
  return {
    files: isObject ? readFiles(members.files, problems) : [],
    title: readText(members, 'title', problems),
    advice: readText(members, 'advice', problems),
    proposal: readText(members, 'proposal', problems),
    beamline: readText(members, 'beamline', problems),
    submitter: readText(members, 'submitter', problems),
    settings: readSettingsObject(members.settings, problems),
    directives: members.directives,
  };
};
