import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { Standalone, runDemo, testData } from './standalone';
import { isSimulated, outcomeOf, programsOf, seriesOf } from './outcome';

/** Small real datasets from files to STOP; they come from PHENIX_FLEET_TEST_DATA. scripts/real-runs.mjs runs all of them. */
describe('real data from files to STOP', () => {
  const standalone = useStarted('file', () => Standalone.shared());

  const solved = async (folder: string, ...names: string[]): Promise<Session> => {
    const id = await standalone.submit(...names.map((name) => testData(folder, name)));
    expect((await standalone.phx('watch', id)).code).toBe(0);
    return outcomeOf(standalone, id);
  };

  it('refines the tiny peptide to a validated model', async () => {
    const session = await solved('tiny_5e5z', '5e5z.mtz', '5e5z.pdb');
    expect(isSimulated(session)).toBe(false);
    expect(programsOf(session)[0]).toBe('phenix.xtriage');
    expect(Math.min(...seriesOf(session, 'phenix.refine', 'r_free'))).toBeLessThan(0.25);
    expect(programsOf(session)).toContain('phenix.molprobity');
  });

  it('refines a shaken model into half maps', async () => {
    const maps = ['full_map.ccp4', 'half_map_1.ccp4', 'half_map_2.ccp4'];
    const session = await solved('synth_cryoem_rnase_3A', ...maps, 'start_shaken.pdb');
    expect(programsOf(session)).toEqual(expect.arrayContaining(['phenix.mtriage', 'phenix.real_space_refine']));
    expect(Math.max(...seriesOf(session, 'phenix.real_space_refine', 'map_cc'))).toBeGreaterThan(0.8);
  });
});

it('npm run demo finds the misplaced lysozyme again and refines it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleet-demo-'));
  const { session } = await runDemo(folder, '--dataset', 'lysozyme');
  rmSync(folder, { recursive: true, force: true });
  expect(programsOf(session)).toContain('phenix.phaser');
  expect(Math.min(...seriesOf(session, 'phenix.refine', 'r_free'))).toBeLessThan(0.33);
  expect(session.status).toBe('completed');
});
