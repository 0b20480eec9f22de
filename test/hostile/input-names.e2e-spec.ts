import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Session } from '@fleet/contracts/sessions';
import { testData } from '../e2e/standalone';
import { useInstallation } from '../e2e/use-installation';

/** Every character below 0x80 that a name can hold. */
const ascii = Array.from({ length: 0x7f }, (_, index) => String.fromCharCode(index + 1))
  .filter((one) => one !== '/')
  .join('');
const beyond = 'a\u0085\u00a0\u0301\u200b\u200f\u2028\u2029\u202eztm.\u{1f9ec}\ufeff';

const names = [
  ['a line break', `x.mtz\nscaling.input.parameters.reporting.log=ELSEWHERE`, 'L.mtz'],
  ['a semicolon', `x.mtz;scaling.input.parameters.reporting.log=ELSEWHERE`, 'L.mtz'],
  ['every character of ASCII', ascii, `${ascii}.mtz`],
  ['others', beyond, `${beyond}.mtz`],
  ['the extension of a pickle', 'plain', 'data.pkl'],
] as const;

/** The reflections come from PHENIX_FLEET_TEST_DATA. */
describe('the real phenix.xtriage and files of hostile names', () => {
  const { standalone, inputs: data, watched } = useInstallation();
  let elsewhere: string;
  beforeAll(() => {
    elsewhere = path.join(data.path, 'elsewhere');
    mkdirSync(elsewhere);
    // Where a path is read as parameters, its first line names this file.
    data.copy(testData('tiny_5e5z', '5e5z.mtz'), 'x.mtz');
  });

  const analysed = async (file: string): Promise<Session> =>
    watched(await standalone.submit('--set', 'analysis_only=true', file));

  it('are taken as files', async () => {
    const files = names.map(([, folder, name]) => path.join(data.path, folder.replace('ELSEWHERE', elsewhere), name));
    for (const file of files) {
      mkdirSync(path.dirname(file), { recursive: true });
      copyFileSync(testData('tiny_5e5z', '5e5z.mtz'), file);
    }
    const sessions = await Promise.all(files.map(analysed));
    const seen = sessions.map(({ cycles, stop }, index) => [
      names[index]?.[0],
      cycles[0]?.result?.outcome,
      stop?.reason,
    ]);
    expect(seen).toEqual(names.map(([about]) => [about, 'success', 'goal_reached']));
    expect(readdirSync(elsewhere)).toEqual([]);
    for (const file of files) expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  });
});
