// npm packages and the build, each redone only when its inputs have changed.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { onPath, run } from './commands.mjs';
import { checkout, toolPath } from './paths.mjs';
import { SetupProblem, step } from './progress.mjs';

const oldestNode = [20, 0];

function checkMachineNode() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0])
    throw new SetupProblem(
      `Node ${process.versions.node} is too old to start with; 20 or newer is needed.`,
      'See nodejs.org.',
    );
  if (onPath(['npm']) === undefined) throw new SetupProblem('npm was not found on PATH.', 'It comes with Node.js.');
}

function digest(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash.update(path.relative(checkout, file)).update('\0').update(fs.readFileSync(file)).update('\0');
  return hash.digest('hex');
}

const stampOf = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');

/** Tests are not built (tsconfig.build.json). */
const isSource = (name) =>
  /\.(tsx?|json|css|html|svg|py)$/.test(name) &&
  !/[.-]spec\.ts$|__pycache__|^python-client\/|\.fake\.ts$|^testing\/|\/fixtures\//.test(name);

const sourcesUnder = (folder) =>
  fs
    .readdirSync(path.join(checkout, folder), { recursive: true })
    .filter(isSource)
    .map((name) => path.join(checkout, folder, name))
    .filter((file) => fs.statSync(file).isFile())
    .sort();

/** Runs `npm ci`, unless node_modules already matches the lock file. */
export async function ensureNodePackages() {
  checkMachineNode();
  const stamp = path.join(checkout, 'node_modules', '.phenix-fleet-lock');
  const wanted = digest([path.join(checkout, 'package-lock.json')]);
  if (stampOf(stamp) === wanted) return;
  // npm ci empties the folder first; through a link it would empty that of another checkout.
  if (fs.lstatSync(path.dirname(stamp), { throwIfNoEntry: false })?.isSymbolicLink())
    throw new SetupProblem(
      'node_modules is a link to packages that are not those of package-lock.json.',
      'Remove the link; npm ci then installs into this checkout.',
    );
  await step('npm packages', async () => {
    await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: checkout, what: 'npm ci' });
    fs.writeFileSync(stamp, wanted);
    return {};
  });
}

/** Compiles apps and libs into dist/ if they have changed since the last build. */
export async function ensureBuild() {
  const stamp = path.join(checkout, 'dist', '.phenix-fleet-sources');
  const configuration = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'];
  const wanted = digest([
    ...configuration.map((file) => path.join(checkout, file)),
    ...sourcesUnder('apps'),
    ...sourcesUnder('libs'),
  ]);
  if (stampOf(stamp) === wanted) return;
  await step('building the services', async () => {
    const env = { ...process.env, PATH: toolPath() };
    await run('npm', ['run', '--silent', 'build'], { cwd: checkout, env, what: 'npm run build' });
    fs.writeFileSync(stamp, wanted);
    return {};
  });
}
