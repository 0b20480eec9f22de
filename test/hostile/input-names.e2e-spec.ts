import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Facility, testData } from '../e2e/facility';
import { outcomeOf } from '../e2e/outcome';

/** Every character below 0x80 that a name can hold. */
const ascii = Array.from({ length: 0x7f }, (_, index) => String.fromCharCode(index + 1))
  .filter((one) => one !== '/')
  .join('');
const beyond = 'a\u0085\u00a0\u0301\u200b\u200f\u2028\u2029\u202eztm.\u{1f9ec}\ufeff';

/** The reflections come from PHENIX_FLEET_TEST_DATA. */
describe('the real phenix.xtriage and files of hostile names', () => {
  let facility: Facility;
  const data = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleet-hostile-')));
  const elsewhere = path.join(data, 'elsewhere');
  beforeAll(async () => {
    mkdirSync(elsewhere);
    // Where a path is read as parameters, its first line names this file.
    copyFileSync(testData('tiny_5e5z', '5e5z.mtz'), path.join(data, 'x.mtz'));
    facility = await Facility.start([data]);
  });
  afterAll(async () => {
    await facility.stop();
    rmSync(data, { recursive: true, force: true });
  });

  it.each([
    ['a line break', `x.mtz\nscaling.input.parameters.reporting.log=${elsewhere}`, 'L.mtz'],
    ['a semicolon', `x.mtz;scaling.input.parameters.reporting.log=${elsewhere}`, 'L.mtz'],
    ['every character of ASCII', ascii, `${ascii}.mtz`],
    ['others', beyond, `${beyond}.mtz`],
    ['the extension of a pickle', 'plain', 'data.pkl'],
  ])('are taken as files: %s', async (_, folder, name) => {
    const file = path.join(data, folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(testData('tiny_5e5z', '5e5z.mtz'), file);
    const id = await facility.submit('--set', 'analysis_only=true', file);
    await facility.phx('watch', id);
    const session = await outcomeOf(facility, id);
    expect(session.cycles[0]?.result?.outcome).toBe('success');
    expect(session.stop?.reason).toBe('goal_reached');
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(path.dirname(file))).toEqual([name]);
  });
});
