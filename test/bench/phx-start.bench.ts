import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { deliver, figure, median } from './figures';

const PAIRS = 15;
const phx = resolve(__dirname, '../../dist/apps/cli/src/main.js');

/** Milliseconds that a process takes from start to end. */
const took = (...args: readonly string[]): number => {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '' } });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${String(status)}: ${String(stderr)}`);
  return performance.now() - started;
};

/** How long a person waits for phx itself: `phx --help` against a Node that does nothing, one after the other. */
describe('the start of phx', () => {
  it('measures', () => {
    took(phx, '--help');
    const ratios = Array.from({ length: PAIRS }, () => {
      const bare = took('-e', '0');
      return took(phx, '--help') / bare;
    });
    deliver([figure('phx --help against node -e 0 (wall time)', median(ratios), '<=', 4)]);
  });
});
