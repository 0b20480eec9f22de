import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { deliver, figure } from './figures';

/** A whole real session (MDM2 with nutlin-3a, as in the demo): what the service adds to the run times of its programs. */
describe('the nutlin session', () => {
  it('takes little longer than its programs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-bench-session-'));
    try {
      const outcome = join(folder, 'outcome.json');
      const demo = resolve(__dirname, '../../scripts/demo.mjs');
      execFileSync(process.execPath, [demo, '--work', folder, '--json', outcome], {
        stdio: 'ignore',
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      const session = JSON.parse(readFileSync(outcome, 'utf8')) as Session;
      const endings = session.cycles.flatMap(({ attempts }) => attempts.flatMap(({ ending }) => ending ?? []));
      const programs = endings.reduce((sum, { durationMs }) => sum + durationMs, 0);
      const wall = Date.parse(session.updatedAt) - Date.parse(session.createdAt);
      deliver([figure('nutlin session, wall time against the run times of its programs', wall / programs, '<=', 1.1)]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
