import { createHash } from 'node:crypto';
import type { ModelMessage } from '@fleet/ports';

/** What a model is asked. The same context gives the same messages, byte for byte. */
export interface Prompt {
  readonly id: string;
  /** Grows with every change of the wording. */
  readonly version: number;
  readonly messages: readonly ModelMessage[];
}

/** What records and the ledger call it: `plan 1`. */
export const nameOf = ({ id, version }: Pick<Prompt, 'id' | 'version'>): string => `${id} ${String(version)}`;

/** Stands for what is asked, to the last byte: SHA-256, hexadecimal. */
export const hashOf = ({ id, version, messages }: Prompt): string =>
  createHash('sha256')
    .update(JSON.stringify([id, version, messages.map(({ role, text }) => [role, text])]))
    .digest('hex');
