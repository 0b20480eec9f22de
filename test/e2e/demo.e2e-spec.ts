import { useFolder } from '@fleet/testing';
import { runDemo } from './standalone';
import { isSimulated, programsOf, seriesOf, wordsOf } from './outcome';

/** The README's first command, as a newcomer runs it. */
describe('npm run demo', () => {
  const folder = useFolder();

  it('solves MDM2 with nutlin-3a: ligand placed, confirmed by polder, validated, with real programs alone', async () => {
    const { stdout, session } = await runDemo(folder);
    const rFree = seriesOf(session, 'phenix.refine', 'r_free');
    expect(session.status).toBe('completed');
    expect(isSimulated(session)).toBe(false);
    expect(programsOf(session)).toEqual(
      expect.arrayContaining(['phenix.ligandfit', 'phenix.pdbtools', 'phenix.polder', 'phenix.molprobity']),
    );
    expect(Math.min(...rFree)).toBeLessThanOrEqual((rFree[0] ?? 0) - 0.04);
    expect(wordsOf(session, 'phenix.polder', 'polder_conclusion')).toEqual(['likely']);
    expect(seriesOf(session, 'phenix.polder', 'cc_1_3')[0]).toBeGreaterThan(0.8);
    expect(stdout).toContain('Final quality');
  });
});
