// Images on the node: containerd has no registry to pull from, so archives are imported.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { run } from '../setup/commands.mjs';
import { SetupProblem } from '../setup/progress.mjs';
import { binary } from './binaries.mjs';
import { containerdSocket, inRun, pauseImage } from './layout.mjs';
import { runInside } from './namespaces.mjs';
import { writeState } from './state.mjs';

const architectures = { x64: 'amd64', arm64: 'arm64' };

/** Packs files into a tar archive without any metadata of this machine. */
const archive = (target, directory, names) =>
  run('tar', [
    '--create',
    '--file',
    target,
    '--directory',
    directory,
    '--owner=0',
    '--group=0',
    '--mtime=@0',
    ...names,
  ]);

/** The sandbox image of every pod, as a docker-archive: one layer with one static program, so no builder is needed. */
async function pauseArchive() {
  const directory = inRun('pause-image');
  fs.rmSync(directory, { recursive: true, force: true });
  fs.mkdirSync(directory);
  fs.copyFileSync(binary('pause'), path.join(directory, 'pause'));
  await archive(path.join(directory, 'layer.tar'), directory, ['pause']);
  const layer = createHash('sha256')
    .update(fs.readFileSync(path.join(directory, 'layer.tar')))
    .digest('hex');
  const config = {
    architecture: architectures[process.arch] ?? process.arch,
    os: 'linux',
    config: { User: '65535:65535', Entrypoint: ['/pause'] },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
  };
  const manifest = [{ Config: 'config.json', RepoTags: [pauseImage], Layers: ['layer.tar'] }];
  fs.writeFileSync(path.join(directory, 'config.json'), JSON.stringify(config));
  fs.writeFileSync(path.join(directory, 'manifest.json'), JSON.stringify(manifest));
  const target = inRun('pause-image.tar');
  await archive(target, directory, ['manifest.json', 'config.json', 'layer.tar']);
  fs.rmSync(directory, { recursive: true });
  return target;
}

const containerd = (state, ...args) =>
  runInside(state.anchor, 'ctr', ['--address', containerdSocket, '--namespace', 'k8s.io', ...args]);

/** Imports a docker-archive or OCI archive, as written by `buildah push IMAGE docker-archive:FILE:NAME:TAG`. */
export async function loadImage(state, file) {
  const resolved = path.resolve(file);
  if (!fs.existsSync(resolved)) throw new SetupProblem(`There is no ${resolved}.`);
  return containerd(state, 'images', 'import', resolved);
}

/** The id of an image (sha256 of its configuration), found through the manifest that containerd names; undefined for a multi-image index. */
async function idOf(state, manifest) {
  const { config } = JSON.parse(await containerd(state, 'content', 'get', manifest));
  return config?.digest;
}

/** The node's images: ids by reference. */
export async function imagesOfNode(state) {
  const rows = (await containerd(state, 'images', 'list')).split('\n').slice(1);
  const named = rows.map((row) => row.split(/\s+/)).filter(([name]) => name !== '' && !name.startsWith('sha256:'));
  return new Map(await Promise.all(named.map(async ([name, , manifest]) => [name, await idOf(state, manifest)])));
}

/** Adds a name to an image of the node. */
export const tagImageOfNode = (state, reference, other) =>
  containerd(state, 'images', 'tag', '--force', reference, other);

/** Needed once per cluster: containerd stores the image. */
export async function loadPauseImage(state) {
  if (state.hasPauseImage) return;
  const file = await pauseArchive();
  await loadImage(state, file);
  fs.rmSync(file);
  state.hasPauseImage = true;
  writeState(state);
}
