import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The resolved path of a temporary folder for the tests of a file or of a `describe`: empty before each test, and
 * removed after the last.
 * @param per `file`: the next test sees what the previous one wrote
 */
export const useFolder = (per: 'test' | 'file' = 'test'): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-test-')));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (per === 'test')
    beforeEach(() => {
      remove();
      mkdirSync(folder, { mode: 0o700 });
    });
  afterAll(remove);
  return folder;
};
