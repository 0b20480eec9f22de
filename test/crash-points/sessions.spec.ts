import { crashPoints } from '@fleet/testing';
import { anInstallation, outliveEveryPoint } from './every-point';
import { ways } from './paths';
import { play, wrongAfter } from './play';

const installed = anInstallation();

describe('a session comes to the same end, whatever dies or fails at any call of a port', () => {
  outliveEveryPoint(ways, installed);

  // Every pair would be some fifty thousand: steps that have no common factor with the numbers of calls in a cycle meet all of them.
  it('also where the process that continues dies as well', async () => {
    const [path] = ways;
    const { outcome, lives } = await play(path!, installed());
    const deaths = crashPoints(lives[0]!).filter(({ trouble, side }) => trouble === 'dies' && side === 'after');
    const wrong: string[] = [];
    let pairs = 0;
    for (const [index, first] of deaths.entries()) {
      if (index % 4 !== 0) continue;
      const calls = (await play(path!, installed(), { points: [first] })).lives[1]!;
      for (let call = 1 + (index % 11); call <= calls.length; call += 23) {
        const second = { call, side: 'after', trouble: 'dies' } as const;
        pairs += 1;
        wrong.push(...(await wrongAfter(path!, installed(), { points: [first, second] }, outcome)));
      }
    }
    expect(pairs).toBeGreaterThan(30);
    expect(wrong.slice(0, 20)).toEqual([]);
  });
});
