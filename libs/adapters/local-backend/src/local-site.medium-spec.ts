import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@fleet/ports';
import { compileSupervisor, useFolder } from '@fleet/testing';
import { LocalSite } from './local-site';

const compiled = compileSupervisor();
const script = join(compiled.script, '..', 'run-trial.js');
const environment = { PATH: '/usr/bin:/bin' };
const never = new AbortController().signal;

describe('the local site', () => {
  const workRoot = useFolder();

  it("is tested by a process like a program's, which leaves nothing behind", async () => {
    const findings = await new LocalSite({ workRoot, environment, clock: systemClock, script }).trial('t1', never);
    expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        'trial.local.start',
        'trial.local.user',
        'trial.local.work.hard_links',
        'trial.local.gpus',
      ]),
    );
    expect(readdirSync(join(workRoot, '.fleet', 'trials'))).toEqual([]);
  });

  it('reports the output of a trial that failed', async () => {
    const away = join(workRoot, 'away.js');
    const findings = await new LocalSite({ workRoot, environment, clock: systemClock, script: away }).trial(
      't1',
      never,
    );
    expect(findings).toMatchObject([
      { check: 'trial.local.start', level: 'error', seen: expect.stringContaining('Cannot find module') as string },
    ]);
  });
});
