import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Reads a secret: typed without echo, or the whole content of a pipe or a file. */
export const readSecret = async (question: string): Promise<string> => {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  process.stderr.write(question);
  const unseen = new Writable({
    write: (_piece, _encoding, done) => done(),
  });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
};
