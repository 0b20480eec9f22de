import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redisNeeds } from './permitted-redis';

const bullmqScripts = join(dirname(require.resolve('bullmq')), 'scripts');

const textsIn = (folder: string, name: RegExp): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');

/** Names of matching commands, in capitals. */
const namesIn = (text: string, call: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(call)].map(([, name = '']) => name.toUpperCase())),
];

describe('the permissions that Redis must grant', () => {
  const tried = new Set<string>(redisNeeds.map((command) => command.split(' ')[0] ?? ''));
  /** Names that are not Redis commands, optional ones (CONFIG), and what `assertOpenRedis` tries (SELECT). */
  const others = 'call pcall on off duplicate disconnect pipeline config select'.toUpperCase().split(' ');
  const ownSources = textsIn(__dirname, /(?<!spec)\.ts$/);

  it.each([
    ['in our own scripts', ownSources, /redis\.p?call\(\s*'([A-Z]+)'/g],
    ['in scripts of BullMQ', textsIn(bullmqScripts, /^(?!relay).*\.js$/), /rcall\(\s*["']([A-Za-z]+)["']/g],
    [
      'by ourselves',
      ownSources.replaceAll('at.redis', 'redis'),
      /\bredis\.((?:[hlsxz]|z?rev)?[a-z]+?)(?:Buffer|Stream)?\(/g,
    ],
  ])('include every command that is called %s', (_, text, call) => {
    const called = namesIn(text, call).filter((name) => !others.includes(name));
    expect(called.length).toBeGreaterThan(5);
    expect(called.filter((name) => !tried.has(name))).toEqual([]);
  });

  it('leave nothing behind on a server that executes them: the probe key is a string that expires, and is deleted last', () => {
    expect(redisNeeds[0]).toBe('SET K 1 PX 1000');
    expect(redisNeeds.at(-1)).toBe('UNLINK K');
  });
});
