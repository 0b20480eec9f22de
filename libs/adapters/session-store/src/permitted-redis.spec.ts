import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { redisNeeds } from './permitted-redis';

const bullmqScripts = join(dirname(require.resolve('bullmq')), 'scripts');

const textsIn = (folder: string, name: RegExp): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');

/** Names of commands that match, in capitals. */
const namesIn = (text: string, call: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(call)].map(([, name = '']) => name.toUpperCase())),
];

describe('what a Redis must permit', () => {
  const tried = new Set<string>(redisNeeds.services.map((command) => command.split(' ')[0] ?? ''));
  /** No commands of Redis, what no service depends on (CONFIG), what `assertOpenRedis` tries (SELECT), and what only `backup` calls. */
  const others = 'call pcall on off duplicate disconnect pipeline config select client xinfo'.toUpperCase().split(' ');
  const sessionScripts = textsIn(__dirname, /(?<!spec)\.ts$/);

  it.each([
    ['in scripts of the session store', sessionScripts, /redis\.p?call\(\s*'([A-Z]+)'/g],
    ['in scripts of BullMQ', textsIn(bullmqScripts, /^(?!relay).*\.js$/), /rcall\(\s*["']([A-Za-z]+)["']/g],
    [
      'by the session store itself',
      sessionScripts.replaceAll('at.redis', 'redis'),
      /\bredis\.((?:[hlsxz]|z?rev)?[a-z]+?)(?:Buffer|Stream)?\(/g,
    ],
  ])('has every command that is called %s', (_, text, call) => {
    const called = namesIn(text, call).filter((name) => !others.includes(name));
    expect(called.length).toBeGreaterThan(20);
    expect(called.filter((name) => !tried.has(name))).toEqual([]);
  });

  it('leaves nothing behind where a server executes it: the probe key is a string that ends by itself, and is deleted last', () => {
    expect(redisNeeds.services[0]).toBe('SET K 1 PX 1000');
    expect(redisNeeds.services.at(-1)).toBe('UNLINK K');
  });
});
