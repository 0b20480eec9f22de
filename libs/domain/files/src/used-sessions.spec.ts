import { aFile, aRequest, anId } from '@fleet/testing';
import { usedSessions } from './used-sessions';

describe('sessions whose files a session has as inputs', () => {
  it('are those whose folders contain them, each once and without the session itself', () => {
    const [id, other, third] = [anId(), anId(), anId()];
    const paths = [
      `/work/mx1/${other}/cycle-1/a.pdb`,
      `/work/mx1/${other}/cycle-2/b.mtz`,
      `/work/mx1/${id}/c.pdb`,
      `/work/mx1/${third}/d.pdb`,
      `/data/${anId()}`,
      '/data/e.mtz',
    ];
    const request = aRequest({ inputs: paths.map((path) => aFile({ path })) });
    expect(usedSessions({ id, request })).toEqual([other, third].sort());
  });
});
