// The cluster's binaries: built once from the Go module proxy into the cache, each recorded with its SHA-256; or prebuilt ones.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { answerOf, onPath, run } from '../setup/commands.mjs';
import { SetupProblem, step } from '../setup/progress.mjs';
import { withLock } from './lock.mjs';
import {
  binDirectory,
  binaries,
  cacheDirectory,
  chartTools,
  chartToolsDirectory,
  moduleDirectory,
  moduleFiles,
  onDemand,
  onDemandDirectory,
} from './recipe.mjs';
import { trimSource } from './trimmed-source.mjs';

const goNeeded = [1, 26];
const manifestOf = (cache) => path.join(cache, 'manifest.json');
const readyBinaries = process.env.KUBEBUILDER_ASSETS;
const oneHour = 3_600_000;

function readyBinary(name) {
  return readyBinaries === undefined ? undefined : onPath([name], path.resolve(readyBinaries));
}

const isChartTool = ({ name }) => chartTools.some((tool) => tool.name === name);

/** Path of a binary: in KUBEBUILDER_ASSETS if that has it, otherwise in the cache. */
export const binary = (name) => readyBinary(name) ?? path.join(binDirectory, name);

/** The names of the binaries in KUBEBUILDER_ASSETS. */
export const readyNames = () => binaries.map(({ name }) => name).filter((name) => readyBinary(name) !== undefined);

/** The files that came with a Go module (kwok's stages, Kueue's resource definitions). */
export function cachedFiles(folder) {
  const directory = path.join(cacheDirectory, folder);
  return fs.readdirSync(directory).map((name) => path.join(directory, name));
}

function goCommand() {
  const go = onPath(['go']);
  const fix = `Install Go ${goNeeded.join('.')} or newer and put it on PATH; or set KUBECONFIG to a cluster you have.`;
  if (go === undefined) throw new SetupProblem('Go builds the cluster and is not here.', fix);
  const version = answerOf(go, ['env', 'GOVERSION']) ?? 'unknown';
  const [major, minor] = version.replace(/^go/, '').split('.').map(Number);
  if (major > goNeeded[0] || (major === goNeeded[0] && minor >= goNeeded[1])) return go;
  throw new SetupProblem(`Go ${goNeeded.join('.')} builds the cluster; ${go} is ${version}.`, fix);
}

/** Whether every binary exists, so that the cluster starts in seconds. */
export const binariesCached = () => binaries.every(({ name }) => fs.existsSync(binary(name)));

function hasGo() {
  try {
    return goCommand() !== undefined;
  } catch (error) {
    if (error instanceof SetupProblem) return false;
    throw error;
  }
}

/** Build flags: go.sum is binding (-mod=readonly), and a binary contains nothing of this machine (-trimpath, no cgo, no VCS stamp). */
function goEnvironment() {
  const flags = [process.env.GOFLAGS ?? '', '-mod=readonly', '-trimpath', '-buildvcs=false'];
  return { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: flags.join(' ').trim() };
}

const runGo = (args, moduleName, what) =>
  run(goCommand(), args, { cwd: moduleDirectory(moduleName), env: goEnvironment(), what });

async function sumOf(file) {
  const hash = createHash('sha256');
  await pipeline(fs.createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

function readManifest(cache = cacheDirectory) {
  const file = manifestOf(cache);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : { sums: {} };
}

function note(entries, cache = cacheDirectory) {
  const manifest = readManifest(cache);
  const partial = `${manifestOf(cache)}.partial`;
  fs.writeFileSync(partial, `${JSON.stringify({ ...manifest, sums: { ...manifest.sums, ...entries } }, null, 2)}\n`);
  fs.renameSync(partial, manifestOf(cache));
}

async function isIntact(relative, sum, cache = cacheDirectory) {
  const file = path.join(cache, relative);
  return sum !== undefined && fs.existsSync(file) && (await sumOf(file)) === sum;
}

/** Folder of a dependency's source in Go's module cache; downloads a missing one. */
async function sourceOf(dependency, moduleName) {
  const listed = await runGo(['mod', 'download', '-json', dependency], moduleName, `go mod download ${dependency}`);
  return JSON.parse(listed).Dir;
}

/** The option that makes Go use a trimmed source (`trimmed` of the recipe); empty for most binaries. */
async function sourceOption({ module: moduleName, trimmed }, cache) {
  if (trimmed === undefined) return [];
  const from = await sourceOf(trimmed.dependency, moduleName);
  return ['-modfile', trimSource(trimmed, from, moduleDirectory(moduleName), cache)];
}

async function buildBinary(recipe, cache = cacheDirectory) {
  const { name, module: moduleName, package: packagePath, flags = '', tags = '' } = recipe;
  const target = path.join(cache, 'bin', name);
  const partial = `${target}.partial`;
  const options = ['-tags', tags, '-ldflags', `-s -w ${flags}`.trim(), '-o', partial];
  await step(`Build ${name}`, async () => {
    const args = ['build', ...(await sourceOption(recipe, cache)), ...options, packagePath];
    await runGo(args, moduleName, `go build ${packagePath}`);
    fs.renameSync(partial, target);
    note({ [path.join('bin', name)]: await sumOf(target) }, cache);
    return { note: `${Math.round(fs.statSync(target).size / 1e6)} MB` };
  });
}

/** Copies a binary from the cache of the chart's tools, which is filled first. */
async function copyChartTool(name) {
  const source = path.join(chartToolsDirectory, 'bin', name);
  const target = path.join(binDirectory, name);
  fs.copyFileSync(source, `${target}.partial`);
  fs.renameSync(`${target}.partial`, target);
  note({ [path.join('bin', name)]: await sumOf(target) });
}

/** Copies the YAML files from the Go module cache, where `go clean` could remove them. */
async function copyModuleFiles({ folder, module: moduleName, dependency, from }) {
  const source = await sourceOf(dependency, moduleName);
  const target = path.join(cacheDirectory, folder);
  fs.rmSync(target, { recursive: true, force: true });
  fs.mkdirSync(target, { recursive: true });
  const entries = {};
  for (const directory of from) {
    const names = fs.readdirSync(path.join(source, directory)).filter((name) => name.endsWith('.yaml'));
    for (const name of names.filter((candidate) => candidate !== 'kustomization.yaml')) {
      fs.writeFileSync(path.join(target, name), fs.readFileSync(path.join(source, directory, name)));
      entries[path.join(folder, name)] = await sumOf(path.join(target, name));
    }
  }
  note(entries);
}

const noted = (sums, folder) => Object.keys(sums).filter((relative) => relative.startsWith(`${folder}${path.sep}`));

async function areIntact(relatives, sums) {
  const answers = await Promise.all(relatives.map((relative) => isIntact(relative, sums[relative])));
  return answers.length > 0 && answers.every(Boolean);
}

async function missingBinariesOf(wanted, cache = cacheDirectory) {
  const { sums } = readManifest(cache);
  const intact = await Promise.all(
    wanted.map(({ name }) => isIntact(path.join('bin', name), sums[path.join('bin', name)], cache)),
  );
  return wanted.filter((_, index) => !intact[index]);
}

async function copyMissingFiles(wanted) {
  const { sums } = readManifest();
  const intact = await Promise.all(wanted.map(({ folder }) => areIntact(noted(sums, folder), sums)));
  for (const missing of wanted.filter((_, index) => !intact[index])) await copyModuleFiles(missing);
}

const whileLocked = (work, cache = cacheDirectory) => withLock(path.join(cache, 'lock'), oneHour, work);

/** Helm and kubeconform in a separate cache: the chart is rendered and checked without a cluster. */
async function ensureChartTools() {
  await whileLocked(async () => {
    fs.mkdirSync(path.join(chartToolsDirectory, 'bin'), { recursive: true });
    for (const missing of await missingBinariesOf(chartTools, chartToolsDirectory))
      await buildBinary(missing, chartToolsDirectory);
  }, chartToolsDirectory);
}

/**
 * The folder to put on PATH for tests of the chart: Helm and kubeconform as pinned, built the first time (a minute on two cores).
 * Undefined if Go is missing and the cache is empty: then any tools on PATH are used.
 */
export async function ensureHelm() {
  const cached = (await missingBinariesOf(chartTools, chartToolsDirectory)).length === 0;
  if (!cached && !hasGo()) return undefined;
  await ensureChartTools();
  return path.join(chartToolsDirectory, 'bin');
}

/** Builds binaries that the cache lacks or whose recorded sum does not match; takes seconds if there are none. */
export async function ensureBinaries() {
  await whileLocked(async () => {
    fs.mkdirSync(binDirectory, { recursive: true });
    const missingBinaries = await step('Check the binaries', async () => {
      const wanted = binaries.filter(({ name }) => readyBinary(name) === undefined);
      const value = await missingBinariesOf(wanted);
      return { value, note: `${value.length} of ${wanted.length} to build` };
    });
    if (missingBinaries.length > 2)
      process.stderr.write(`  into ${cacheDirectory}; 10 to 20 min on ${os.availableParallelism()} cores, once\n`);
    if (missingBinaries.some(isChartTool)) await ensureChartTools();
    for (const missing of missingBinaries)
      await (isChartTool(missing) ? copyChartTool(missing.name) : buildBinary(missing));
    await copyMissingFiles(moduleFiles);
  });
}

function toolNamed(name) {
  const tool = onDemand.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`${name} is not among ${onDemand.map((one) => one.name).join(', ')}`);
  return tool;
}

/** Path of a program of `onDemand`, whether built yet or not. */
export const onDemandBinary = (name) => readyBinary(name) ?? path.join(onDemandDirectory(toolNamed(name)), 'bin', name);

/** Path of a program of `onDemand`; builds it if the cache lacks it or its recorded sum does not match. */
export async function ensureOnDemand(name) {
  const tool = toolNamed(name);
  const ready = readyBinary(name);
  if (ready !== undefined) return ready;
  const cache = onDemandDirectory(tool);
  const relative = path.join('bin', name);
  await whileLocked(async () => {
    fs.mkdirSync(path.join(cache, 'bin'), { recursive: true });
    if (!(await isIntact(relative, readManifest(cache).sums[relative], cache))) await buildBinary(tool, cache);
  }, cache);
  return path.join(cache, relative);
}

/**
 * The files with the resource definitions of Kueue, KEDA, the Gateway API and the Prometheus Operator. Go downloads those that the cache
 * lacks; nothing is built.
 */
export async function ensureDefinitions() {
  const wanted = moduleFiles.filter(({ folder }) => folder.endsWith('-crds'));
  await whileLocked(() => copyMissingFiles(wanted));
  return wanted.flatMap(({ folder }) => cachedFiles(folder));
}
