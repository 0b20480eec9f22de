import { createHash } from 'node:crypto';
import type { ModelMessage } from '@fleet/ports';

/** A question to a model. The same context gives the same messages, byte for byte. */
export interface Prompt {
  readonly id: string;
  /** Incremented with every change of the text. */
  readonly version: number;
  readonly messages: readonly ModelMessage[];
}

/** Name in records and the ledger: `plan 1`. */
export const nameOf = ({ id, version }: Pick<Prompt, 'id' | 'version'>): string => `${id} ${String(version)}`;

/** Hash of the whole prompt: SHA-256, hexadecimal. */
export const hashOf = ({ id, version, messages }: Prompt): string =>
  createHash('sha256')
    .update(JSON.stringify([id, version, messages.map(({ role, text }) => [role, text])]))
    .digest('hex');
