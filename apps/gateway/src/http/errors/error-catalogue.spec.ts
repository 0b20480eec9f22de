import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isErrorCode } from './error-catalogue';

const root = join(__dirname, '../../../../../');
const commands =
  'libs/application/{batches,keys,launches,queues,recovery,retention,sessions,uploads,webhooks}/src/**/*.ts';

it('has a status and a title for each fault of a command', () => {
  const sources = globSync(commands, { cwd: root }).filter((path) => !path.endsWith('.spec.ts'));
  const codes = sources.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/new Fault\(\s*'([a-z_.]+)'/g)].map(([, code = '']) => code),
  );
  expect(codes).toContain('submission.invalid');
  expect(codes.filter((code) => !isErrorCode(code))).toEqual([]);
});
