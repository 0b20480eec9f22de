import { Facility, testData } from './facility';
import { isSimulated, outcomeOf, programsOf, seriesOf } from './outcome';

/** Small real data sets from files to STOP; they come from PHENIX_FLEET_TEST_DATA. */
describe('real data from files to STOP', () => {
  let facility: Facility;
  beforeAll(async () => {
    facility = await Facility.start([testData()]);
  });
  afterAll(async () => {
    await facility.stop();
  });

  it('refines the tiny peptide to a validated model', async () => {
    const id = await facility.submit(testData('tiny_5e5z', '5e5z.mtz'), testData('tiny_5e5z', '5e5z.pdb'));
    expect((await facility.phx('watch', id)).code).toBe(0);
    const session = await outcomeOf(facility, id);
    expect(isSimulated(session)).toBe(false);
    expect(programsOf(session)[0]).toBe('phenix.xtriage');
    expect(Math.min(...seriesOf(session, 'phenix.refine', 'r_free'))).toBeLessThan(0.25);
    expect(programsOf(session)).toContain('phenix.molprobity');
  });

  it('refines a shaken model into half maps', async () => {
    const map = (name: string): string => testData('synth_cryoem_rnase_3A', name);
    const id = await facility.submit(
      map('full_map.ccp4'),
      map('half_map_1.ccp4'),
      map('half_map_2.ccp4'),
      map('start_shaken.pdb'),
    );
    expect((await facility.phx('watch', id)).code).toBe(0);
    const session = await outcomeOf(facility, id);
    expect(programsOf(session)).toEqual(expect.arrayContaining(['phenix.mtriage', 'phenix.real_space_refine']));
    expect(Math.max(...seriesOf(session, 'phenix.real_space_refine', 'map_cc'))).toBeGreaterThan(0.8);
  });

  it('stops after the analysis when only that was asked for', async () => {
    const id = await facility.submit('--set', 'analysis_only=true', testData('tiny_5e5z', '5e5z.mtz'));
    expect((await facility.phx('watch', id)).code).toBe(0);
    const session = await outcomeOf(facility, id);
    expect(programsOf(session)).toEqual(['phenix.xtriage']);
    expect(session.stop?.reason).toBe('goal_reached');
  });
});
