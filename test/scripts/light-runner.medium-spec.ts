import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { useFolder } from '@fleet/testing';

const project = resolve(__dirname, '../..');
const runner = join(project, 'test/support/light-runner.mjs');

/** The second worker listens late, as on a busy machine: when the first one requests its data, it has a file but does not listen. */
const lateWorker = `
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, nextLoad) {
    const module = nextLoad(url, context);
    const isLate = process.env.TINYPOOL_WORKER_ID === '2' && url.includes('jest-light-runner/src/worker-runner.js');
    return isLate ? { ...module, source: 'await new Promise((done) => setTimeout(done, 2500));' + module.source } : module;
  },
});
`;

describe('the runner of the tests', () => {
  const root = useFolder();

  it('sends its data to a worker that starts late', async () => {
    const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
    write('package.json', '{ "type": "module" }');
    write('late-worker.mjs', lateWorker);
    write('jest.config.mjs', `export default ${JSON.stringify({ runner, transform: {}, maxWorkers: 2 })};`);
    for (const name of ['one', 'two']) write(`${name}.test.js`, `it('${name}', () => expect(1).toBe(1));`);

    const jest = join(project, 'node_modules/jest/bin/jest.js');
    const preload = `--experimental-vm-modules --import=${pathToFileURL(join(root, 'late-worker.mjs')).href}`;
    const { stderr } = await promisify(execFile)(process.execPath, [jest, '--rootDir', root], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: preload },
      timeout: 600_000,
    });
    expect(stderr).toContain('Tests:       2 passed, 2 total');
  });
});
