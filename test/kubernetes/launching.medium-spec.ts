import fs from 'node:fs';
import type { RunState } from '@fleet/ports';
import { ClusterRuns } from './cluster-runs';

/**
 * Folders on the way and files that a launch may open: 2 to see that nothing is there, 5 to write down what is to run, 6 to note that its Job
 * was seen, unless somebody has taken it meanwhile.
 */
const openedByLaunch = 13;
/** … and a look at a run that waits: 2 to see what stands there, 7 to read its records. */
const openedByLook = 9;

describe('launching a run', () => {
  let runs: ClusterRuns;
  beforeEach(async () => {
    runs = await ClusterRuns.start();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await runs.dispose();
  });

  const openedBy = async (work: () => Promise<unknown>): Promise<number> => {
    const opened = jest.spyOn(fs, 'openSync');
    await work();
    const count = opened.mock.calls.length;
    opened.mockRestore();
    return count;
  };
  /** Happens while the API server makes the Job. */
  const meanwhile = (happens: () => void): void => {
    runs.cluster.trouble = ({ method }) => {
      if (method === 'POST') happens();
      return undefined;
    };
  };
  const launched = (spec = runs.aSpec()): Promise<RunState> => runs.aBackend().ensure(spec);

  it(`opens at most ${String(openedByLaunch)} folders and files`, async () => {
    const backend = runs.aBackend();
    await backend.ensure(runs.aSpec());
    const spec = runs.aSpec();
    expect(await openedBy(() => backend.ensure(spec))).toBeLessThanOrEqual(openedByLaunch);
  });

  it(`opens at most ${String(openedByLook)} to check a waiting run`, async () => {
    const backend = runs.aBackend();
    const spec = runs.aSpec();
    await backend.ensure(spec);
    expect(await openedBy(() => backend.ensure(spec))).toBeLessThanOrEqual(openedByLook);
  });

  it('sees that its program started during the creation of the Job', async () => {
    const spec = runs.aSpec();
    meanwhile(() => runs.claim(spec));
    expect(await launched(spec)).toMatchObject({ state: 'running' });
  });

  it('sees that the run was cancelled and closed during the creation of the Job', async () => {
    const spec = runs.aSpec();
    meanwhile(() => {
      runs.claim(spec);
      runs.publish(spec, { kind: 'cancelled' });
    });
    expect(await launched(spec)).toMatchObject({ state: 'ended', ending: { kind: 'cancelled' } });
  });
});
