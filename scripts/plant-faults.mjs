#!/usr/bin/env node
// npm run plant-faults: plants one fault in each tier, one at a time, and checks that a test of `npm test` then fails.
import fs from 'node:fs';
import path from 'node:path';
import { execute } from './checks/execute.mjs';
import { jest } from './checks/jest.mjs';
import { sizeOf } from './checks/needs.mjs';
import { runChecks } from './checks/run-checks.mjs';
import { ensureHelm } from './cluster/binaries.mjs';
import { command } from './setup/command.mjs';
import { ensureBuild, ensureNodePackages } from './setup/node-packages.mjs';
import { ensureOpenPrograms } from './setup/open-programs.mjs';
import { checkout, openProgramsDirectory } from './setup/paths.mjs';
import { SetupProblem } from './setup/progress.mjs';

/** Each fault replaces the text `from` in `file` by `to`; then `test` must fail. */
const faults = [
  {
    tier: 'domain',
    what: 'a program that failed is no longer named as the reason to stop',
    file: 'libs/domain/workflow/src/stops.ts',
    from: "if (failed.length > 0) return { reason: 'program_failed'",
    to: "if (failed.length > 99) return { reason: 'program_failed'",
    test: 'libs/domain/workflow/src/empty-menu.spec.ts',
  },
  {
    tier: 'store',
    what: 'a move of an outdated version of a session is accepted',
    file: 'libs/adapters/store/src/sessions/session-change.ts',
    from: "if (before.version !== fromVersion) return 'stale';",
    to: '',
    test: 'libs/adapters/store/src/postgres-store.medium-spec.ts',
  },
  {
    tier: 'gateway',
    what: 'permissions are not checked',
    file: 'apps/gateway/src/auth/access/access.guard.ts',
    from: 'if (denial !== undefined) throw',
    to: 'if (denial === null) throw',
    test: 'test/api/access.spec.ts',
  },
  {
    tier: 'executor',
    what: 'a run that has disappeared is launched again under the same name',
    file: 'apps/executor-worker/src/execute/execute-attempt.ts',
    from: 'return known === undefined ? this.launch(session, record) : this.lost(session, record, known);',
    to: 'return this.launch(session, record);',
    test: 'test/executor/attempts.spec.ts',
  },
  {
    tier: 'dashboard',
    what: 'the live badge always says that the page is up to date',
    file: 'apps/dashboard/src/parts/live-badge.tsx',
    from: 'const state = useLiveState();',
    to: "const state = { ...useLiveState(), kind: 'live' } as ReturnType<typeof useLiveState>;",
    test: 'test/dashboard/outage.e2e-spec.ts',
    needs: ensureBuild,
  },
  {
    tier: 'chart',
    what: 'containers of the services may write to their own file system',
    file: 'helm/phenix-fleet/templates/_services.tpl',
    from: 'readOnlyRootFilesystem: true',
    to: 'readOnlyRootFilesystem: false',
    test: 'test/chart/chart.e2e-spec.ts',
  },
  {
    tier: 'kit',
    what: 'RMS(angles) is that of the bonds',
    file: 'docker/open-phenix/open_phenix/xray/geometry.py',
    from: '_rms(made.angles())',
    to: '_rms(made.bonds())',
    test: 'docker/open-phenix/tests/test_geometry.py',
    needs: () => ensureOpenPrograms({ forTests: true }),
  },
];

const usage = `npm run plant-faults [-- TIER...]

Plants a fault in each tier (${faults.map(({ tier }) => tier).join(', ')}), one at a time, runs the test of npm test that must fail, and takes the fault out again.
Exit code 1 when a fault was not caught.
`;

/** Whether the test for a fault passes. */
async function passes({ test }) {
  if (!test.endsWith('.py')) return (await runChecks([[jest(sizeOf(test), { only: [test] })]])) === 0;
  const python = path.join(openProgramsDirectory, 'venv/bin/python');
  return execute(python, ['-m', 'pytest', '-q', '-x', path.basename(test)], {
    cwd: path.join(checkout, path.dirname(test)),
  });
}

async function isCaught(fault) {
  const file = path.join(checkout, fault.file);
  const text = fs.readFileSync(file, 'utf8');
  if (!text.includes(fault.from)) throw new SetupProblem(`${fault.file} has no longer: ${fault.from}`);
  try {
    await fault.needs?.();
    if (!(await passes(fault))) throw new SetupProblem(`${fault.test} fails without the fault.`);
    fs.writeFileSync(file, text.replace(fault.from, fault.to));
    await fault.needs?.();
    return !(await passes(fault));
  } finally {
    fs.writeFileSync(file, text);
    await fault.needs?.();
  }
}

async function work(_, positionals) {
  const chosen = faults.filter(({ tier }) => positionals.length === 0 || positionals.includes(tier));
  await ensureNodePackages();
  process.env.PATH = [await ensureHelm(), process.env.PATH].filter(Boolean).join(path.delimiter);
  const rows = [];
  for (const fault of chosen) rows.push({ ...fault, caught: await isCaught(fault) });
  const lines = rows.map(
    ({ tier, what, file, test, caught }) =>
      `| ${tier} | ${what} (\`${file}\`) | \`${test}\` | ${caught ? 'caught' : '**missed**'} |`,
  );
  process.stdout.write(`\n| tier | planted fault | test | result |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`);
  return rows.every(({ caught }) => caught) ? 0 : 1;
}

command({ call: 'npm run plant-faults --', usage, allowPositionals: true, work });
