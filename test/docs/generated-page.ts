import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';

const root = join(__dirname, '../..');

/** Compares a generated file to what its source gives now; with FLEET_WRITE_DOCS=1 it is written first. */
export const expectFile = (path: string, text: string): void => {
  const file = join(root, path);
  if (process.env['FLEET_WRITE_DOCS'] === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
};

/** The same for a page of Markdown, which is formatted. */
export const expectPage = async (
  path: string,
  text: string,
  options: { readonly printWidth: number; readonly proseWrap?: 'always' } = { printWidth: 150 },
): Promise<void> => {
  expectFile(path, await format(text, { parser: 'markdown', ...options }));
};
