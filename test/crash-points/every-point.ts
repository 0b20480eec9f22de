import { loadRuleBook } from '@fleet/knowledge';
import { crashPoints, type CrashPoint } from '@fleet/testing';
import { Logger } from '@nestjs/common';
import { play, wrongAfter, type Path } from './play';
import { Installed } from './world';

/** Lines of what is wrong that are shown. */
const mostShown = 20;

/** What a spec file plays in; its worlds are gone after it. */
export const anInstallation = (): (() => Installed) => {
  let installed: Installed | undefined;
  beforeAll(() => {
    Logger.overrideLogger(false);
    installed = new Installed(loadRuleBook('knowledge'));
  });
  afterAll(() => {
    installed?.dispose();
  });
  return () => installed!;
};

/** Points of some kind, of those of an undisturbed life. */
interface Kind {
  readonly words: string;
  readonly has: (point: CrashPoint) => boolean;
  readonly queuesAreLost: boolean;
}

const isDeath = ({ trouble }: CrashPoint): boolean => trouble === 'dies';
export const dies: Kind = { words: 'the process dies', has: isDeath, queuesAreLost: false };
const fails: Kind = { words: 'the call fails', has: (point) => !isDeath(point), queuesAreLost: false };
const dieTogether: Kind = { words: 'the process dies with the queues', has: isDeath, queuesAreLost: true };

const kindsOf = ({ queuesMayBeLost }: Path): readonly Kind[] =>
  queuesMayBeLost === true ? [dies, fails, dieTogether] : [dies, fails];

/** What is wrong after such trouble at any point of the path, and how many points there are. */
export const everythingWrong = async (
  path: Path,
  { has, queuesAreLost }: Kind,
  installed: Installed,
): Promise<{ readonly points: number; readonly wrong: readonly string[] }> => {
  const { outcome, lives } = await play(path, installed);
  const points = crashPoints(lives[0]!).filter(has);
  const wrong: string[] = [];
  for (const point of points)
    wrong.push(...(await wrongAfter(path, installed, { points: [point], queuesAreLost }, outcome)));
  return { points: points.length, wrong };
};

/** Plays each path undisturbed, then once for every point of it. */
export const outliveEveryPoint = (paths: readonly Path[], installed: () => Installed): void => {
  describe.each(paths.map((path) => [path.name, path] as const))('%s', (_, path) => {
    const expected = { dies: path.deaths, fails: path.failures };
    it.each(kindsOf(path).map((kind) => [kind.words, kind] as const))('%s', async (__, kind) => {
      const { points, wrong } = await everythingWrong(path, kind, installed());
      expect(wrong.slice(0, mostShown)).toEqual([]);
      expect(points).toBe(kind === fails ? expected.fails : expected.dies);
    });
  });
};
