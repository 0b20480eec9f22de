import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as readStream } from 'node:stream/consumers';
import type { JsonValue } from '@fleet/contracts/sessions';
import type { Transport } from '@fleet/decision-api';
import { CliError, unreadable } from '../cli-error';
import { exitCodes } from '../exit-codes';

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const parseLine = (line: string, transport: Transport): JsonValue =>
  line.startsWith('ZZ') ? transport.decode(line) : (JSON.parse(line) as JsonValue);

/** One document, an array of documents, or one document per line; plain or encoded. */
const parseRequests = (content: string, name: string, transport: Transport): readonly JsonValue[] => {
  const whole = content.trim();
  try {
    const document = parseLine(whole, transport);
    return Array.isArray(document) ? (document as readonly JsonValue[]) : [document];
  } catch (error) {
    const lines = whole.split('\n').filter((line) => line.trim() !== '');
    if (lines.length < 2) throw new CliError(exitCodes.usage, `${name} contains no request: ${reasonOf(error)}`);
    return lines.map((line, index) => {
      try {
        return parseLine(line.trim(), transport);
      } catch (lineError) {
        throw new CliError(exitCodes.usage, `${name}, line ${index + 1} is not a request: ${reasonOf(lineError)}`);
      }
    });
  }
};

const contentOf = async (name: string, cwd: string): Promise<string> => {
  if (name === '-') return readStream(process.stdin);
  return readFile(resolve(cwd, name), 'utf8').catch((error: unknown) => {
    throw unreadable(name, error);
  });
};

/**
 * The v2 requests of a file; `-` is the standard input.
 * @throws CliError `usage` for invalid input
 */
export const readRequests = async (name: string, cwd: string, transport: Transport): Promise<readonly JsonValue[]> =>
  parseRequests(await contentOf(name, cwd), name, transport);
