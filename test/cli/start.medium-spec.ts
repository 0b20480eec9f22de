import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const main = join(root, 'dist/apps/cli/src/main.js');

/**
 * What each call of phx waits for before it does anything. Whatever else a command needs (rule book, schemas, readers of files and logs) it loads
 * when it is run; a lib or package that is missing here costs every call of phx, so load it where it is needed rather than adding it.
 */
const loadedAtStart = [
  'commander',
  'apps/cli',
  // Four files without a package, which nearly every command calls the gateway through.
  'libs/adapters/api-client',
  'libs/domain/contracts',
  'libs/domain/session-report',
  // Two files without a package; the table of space groups is made when it is first used.
  'libs/domain/symmetry',
];

const script = `
  process.on('exit', () => process.stderr.write(JSON.stringify(Object.keys(require.cache))));
  process.argv = [process.execPath, process.env.MAIN, ...JSON.parse(process.env.ARGUMENTS)];
  require(process.env.MAIN);
`;

/** The package, app or lib of each file that a call of phx loads. */
const loadedBy = (...args: readonly string[]): readonly string[] => {
  const env = { ...process.env, NODE_OPTIONS: '', MAIN: main, ARGUMENTS: JSON.stringify(args) };
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`phx ${args.join(' ')} ended with ${String(status)}: ${stderr}`);
  return [...new Set((JSON.parse(stderr) as readonly string[]).map(ownerOf))];
};

const ownerOf = (file: string): string =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ??
  /dist\/(apps\/[^/]+|libs\/[^/]+\/[^/]+)/.exec(file)?.[1] ??
  file;

describe('the start of phx', () => {
  it.each([[['--help']], [['--version']], [['submit', '--help']], [['admin', 'status', '--help']]])(
    'loads only commander, the API client and session texts: phx %j',
    (args) => {
      expect(loadedBy(...args).toSorted()).toEqual(loadedAtStart.toSorted());
    },
  );

  it('loads the knowledge and file code only in commands that need it', () => {
    expect(loadedBy('knowledge', 'show')).toEqual(expect.arrayContaining(['libs/adapters/knowledge', 'ajv']));
  });
});
