import { createHash } from 'node:crypto';
import { auditEntrySchema, type AuditEntry } from '@fleet/contracts/audit';
import { isDescribed } from '@fleet/contracts/schema';
import { canonicalJson } from '@fleet/contracts/service';
import { jsonProblem } from '../bounded-json';
import { authenticityOfText, signText, type InstallationKey, type Signature } from '../session-signature';

/** The length of a file at some time: the mark of its last line. */
export interface AuditHead {
  readonly file: string;
  readonly mark: string;
}

/**
 * The first line of a file: the other files at that time, so that one that is removed or truncated later is detected.
 */
interface AuditOpening {
  readonly opened: string;
  readonly others: readonly AuditHead[];
}

export type AuditContent = { readonly entry: AuditEntry } | { readonly opening: AuditOpening };

interface AuditLine {
  readonly content: AuditContent;
  /** Mark of the previous line; empty for the first. */
  readonly previous: string;
  readonly signature: Signature;
}

const bounds = { deepest: 10, maxValues: 10_000 };

const signedText = (file: string, previous: string, content: AuditContent): string =>
  ['phenix-fleet audit 1', file, previous, canonicalJson(content)].join('\n');

/** Without an installation key lines are chained, but not signed. */
const unsigned = (text: string): Signature => ({ key: '', mac: createHash('sha256').update(text).digest('base64url') });

/** One line of a file, and its mark, which the next line contains. */
export const auditLine = (
  file: string,
  previous: string,
  given: AuditContent,
  [key]: readonly InstallationKey[],
): { readonly text: string; readonly mark: string } => {
  const content = JSON.parse(JSON.stringify(given)) as AuditContent;
  const signed = signedText(file, previous, content);
  const signature = key === undefined ? unsigned(signed) : signText(signed, key);
  const line: AuditLine = { content, previous, signature };
  return { text: `${JSON.stringify(line)}\n`, mark: signature.mac };
};

/** The valid lines of a file. */
export interface ReadAuditFile {
  readonly file: string;
  readonly entries: readonly AuditEntry[];
  readonly others: readonly AuditHead[];
  /** Marks of all lines. */
  readonly marks: readonly string[];
  readonly damages: readonly string[];
}

const parsed = (text: string): AuditLine | undefined => {
  if (jsonProblem(text, bounds) !== undefined) return undefined;
  try {
    const line = JSON.parse(text) as Partial<AuditLine> | null;
    const isLine =
      typeof line?.content === 'object' && typeof line.previous === 'string' && typeof line.signature?.mac === 'string';
    return isLine ? (line as AuditLine) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const isAuthentic = (file: string, line: AuditLine, keys: readonly InstallationKey[]): boolean => {
  const signed = signedText(file, line.previous, line.content);
  if (keys.length === 0 || line.signature.key === '') return unsigned(signed).mac === line.signature.mac;
  return authenticityOfText(() => signed, line.signature, keys) === 'authentic';
};

/** A file that is read line by line. */
class AuditReading implements ReadAuditFile {
  readonly entries: AuditEntry[] = [];
  readonly others: AuditHead[] = [];
  readonly marks: string[] = [];
  readonly damages: string[] = [];
  unsigned = 0;

  constructor(
    readonly file: string,
    private readonly keys: readonly InstallationKey[],
  ) {}

  take(text: string): void {
    const line = parsed(text);
    const number = String(this.marks.length + 1);
    const before = this.marks.at(-1) ?? '';
    this.marks.push(line?.signature.mac ?? '');
    if (line === undefined || !isAuthentic(this.file, line, this.keys)) {
      this.damages.push(`line ${number} was altered`);
      return;
    }
    if (line.signature.key === '') this.unsigned += 1;
    if (line.previous !== before) this.damages.push(`lines before line ${number} were removed`);
    this.keep(line.content, number);
  }

  private keep(content: AuditContent, number: string): void {
    if ('opening' in content) this.others.push(...content.opening.others);
    else if (isDescribed(auditEntrySchema, content.entry)) this.entries.push(content.entry);
    else this.damages.push(`line ${number} has an unknown layout`);
  }
}

/** Reads and verifies a file. If there is a key, unsigned lines are reported: anyone could have written them. */
export const readAuditFile = (file: string, text: string, keys: readonly InstallationKey[]): ReadAuditFile => {
  const reading = new AuditReading(file, keys);
  const lines = text.split('\n');
  if (lines.pop() !== '') reading.damages.push('its last line is not whole: its gateway died, or the disk was full');
  for (const line of lines) reading.take(line);
  if (keys.length > 0 && reading.unsigned > 0)
    reading.damages.push(`${String(reading.unsigned)} of its lines are not signed`);
  return reading;
};

/** What another file records about this one. */
export interface FileStatement extends AuditHead {
  readonly witness: string;
}

/** Why a file is shorter than another one recorded; undefined: it is not. */
export const cutEnd = ({ file, marks }: ReadAuditFile, said: readonly FileStatement[]): string | undefined => {
  const missing = said.find((one) => one.file === file && !marks.includes(one.mark));
  return missing && `its end is missing; ${missing.witness} names a line that it does not contain`;
};
