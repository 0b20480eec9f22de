import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { deliver, figure, median } from './figures';

const PAIRS = 15;
const phx = resolve(__dirname, '../../dist/apps/cli/src/main.js');

const tellCpu = join(__dirname, 'tell-cpu.cjs');

const run = (...args: readonly string[]): string => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${String(status)}: ${stderr}`);
  return stderr;
};

/** Milliseconds that a process takes from start to end. */
const took = (...args: readonly string[]): number => {
  const started = performance.now();
  run(...args);
  return performance.now() - started;
};

/** Microseconds of CPU that a process takes, which other work on the machine changes less. */
const cpuOf = (...args: readonly string[]): number =>
  Number(
    run('--require', tellCpu, ...args)
      .split('\n')
      .at(-1),
  );

/** How many times as much `phx --help` takes as a Node that does nothing, one after the other. */
const ratioOf = (cost: (...args: readonly string[]) => number): number => {
  const ratios = Array.from({ length: PAIRS }, () => {
    const bare = cost('-e', '0');
    return cost(phx, '--help') / bare;
  });
  return median(ratios);
};

/** How long a person waits for phx itself. */
describe('the start of phx', () => {
  it('takes a small multiple of the start of Node itself', () => {
    took(phx, '--help');
    deliver([
      figure('phx --help against node -e 0 (wall time)', ratioOf(took), '<=', 4),
      figure('phx --help against node -e 0 (CPU time)', ratioOf(cpuOf), '<=', 4),
    ]);
  });
});
