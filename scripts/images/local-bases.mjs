// Base images for machines that reach Debian's packages and npm but no image registry: Debian by debootstrap, and Node on top.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { run } from '../setup/commands.mjs';
import { ensureNodePackages } from '../setup/node-packages.mjs';
import { checkout } from '../setup/paths.mjs';
import { SetupProblem, step } from '../setup/progress.mjs';
import { bud, ensurePrograms, inspectImage } from './buildah.mjs';
import { contentKey } from './content-key.mjs';
import { imageCache } from './index-file.mjs';

const suite = 'bookworm';

/** npm for the compile stage; no runtime image contains it. */
const npm = {
  version: '11.19.1',
  sha512: 'ztsxKxt/kkIaAs+2i0GU6I+DRmUdrNasxTZKJe9TCdSjKxlhah/4r/hl5ygMD6XAg1qZ9c2TNomR4qgOydp10g==',
};

/** Removed in addition to the files that debian:bookworm-slim omits. Licences (copyright files) stay. */
const leftOut = [
  'usr/share/man',
  'usr/share/info',
  'usr/share/locale',
  'usr/share/lintian',
  'var/log',
  'var/cache',
  'var/lib/apt/lists',
];

const emptied = (folder) => {
  for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true });
};

function withoutDocumentation(root) {
  for (const folder of leftOut) emptied(path.join(root, folder));
  fs.mkdirSync(path.join(root, 'var/cache/apt/archives/partial'), { recursive: true });
  fs.mkdirSync(path.join(root, 'var/lib/apt/lists/partial'));
  for (const entry of fs.readdirSync(path.join(root, 'usr/share/doc'), { recursive: true, withFileTypes: true }))
    if (!entry.isDirectory() && entry.name !== 'copyright')
      // Node 24.21 follows links to folders: removing one deletes the files behind it.
      fs.rmSync(path.join(entry.parentPath ?? entry.path, entry.name), { force: true });
}

/** Debootstrap installs a point release; the same mirror has the security updates beside it. */
async function update(root, aptconf) {
  const sources = path.join(root, 'etc/apt/sources.list');
  const [, mirror] = fs.readFileSync(sources, 'utf8').split(/\s+/);
  fs.writeFileSync(
    sources,
    `deb ${mirror} ${suite} main\ndeb ${mirror} ${suite}-updates main\ndeb ${mirror}-security ${suite}-security main\n`,
  );
  const settings = path.join(root, 'etc/apt/apt.conf.d/00-build-host');
  if (aptconf !== undefined) fs.copyFileSync(aptconf, settings);
  const apt = (...args) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
    return run('chroot', [root, 'apt-get', '-qq', ...args], { env, what: `apt-get ${args.join(' ')} in the base` });
  };
  await apt('update');
  await apt('upgrade', '-y');
  fs.rmSync(settings, { force: true });
}

/** FLEET_DEBIAN_MIRROR names another mirror than debootstrap's default; the image's sources.list then has it too. */
async function debootstrapped(folder, aptconf) {
  const root = path.join(folder, 'rootfs');
  const mirror = process.env.FLEET_DEBIAN_MIRROR ? [process.env.FLEET_DEBIAN_MIRROR] : [];
  await run('debootstrap', ['--variant=minbase', suite, root, ...mirror], { what: 'debootstrap' });
  await update(root, aptconf);
  withoutDocumentation(root);
  const archive = path.join(folder, 'rootfs.tar');
  await run('tar', ['--create', '--file', archive, '--numeric-owner', '--one-file-system', '--directory', root, '.']);
  return archive;
}

async function ensureRootfs(file, aptconf) {
  if (fs.existsSync(file)) return;
  if (process.getuid() !== 0)
    throw new SetupProblem(
      'A local base image needs root (debootstrap).',
      'Name ready ones: --node-image node:24-bookworm-slim@sha256:… --debian-image debian:bookworm-slim@sha256:…',
    );
  await ensurePrograms(['debootstrap']);
  await step('base image: Debian by debootstrap', async () => {
    fs.mkdirSync(imageCache, { recursive: true });
    const folder = fs.mkdtempSync(path.join(imageCache, 'debian-'));
    try {
      fs.renameSync(await debootstrapped(folder, aptconf), file);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
    return {};
  });
}

/** Builds an image from a folder that `fill` fills, unless the image already exists. */
async function ensureBase(name, key, args, fill) {
  const reference = `localhost/phenix-fleet/base-${name}:${key.slice(0, 12)}`;
  if (inspectImage(reference) === undefined) {
    const folder = fs.mkdtempSync(path.join(imageCache, `${name}-`));
    try {
      await fill(folder);
      await bud({ dockerfile: `docker/local-base/${name}.Dockerfile`, context: folder, reference, args });
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
  return { reference, key };
}

async function debianBase({ aptconf }) {
  const key = contentKey(['docker/local-base/debian.Dockerfile'], [suite, leftOut]);
  const archive = path.join(imageCache, `debian-${suite}-${key.slice(0, 12)}.tar`);
  await ensureRootfs(archive, aptconf);
  return ensureBase('debian', key, {}, (folder) => fs.promises.copyFile(archive, path.join(folder, 'rootfs.tar')));
}

async function fetchNpm(folder) {
  await run('npm', ['pack', '--silent', `npm@${npm.version}`], { cwd: folder, what: 'npm pack' });
  const archive = path.join(folder, `npm-${npm.version}.tgz`);
  const found = createHash('sha512').update(fs.readFileSync(archive)).digest('base64');
  if (found !== npm.sha512)
    throw new SetupProblem(`npm ${npm.version} is not the package that was expected (${found}).`);
  await run('tar', ['--extract', '--gzip', '--file', archive, '--directory', folder]);
  fs.rmSync(archive);
  fs.renameSync(path.join(folder, 'package'), path.join(folder, 'npm'));
}

async function nodeBase(debian) {
  const binary = path.join(checkout, 'node_modules/node/bin/node');
  if (!fs.existsSync(binary)) await ensureNodePackages();
  const { version } = JSON.parse(fs.readFileSync(path.join(checkout, 'node_modules/node/package.json'), 'utf8'));
  const key = contentKey(['docker/local-base/node.Dockerfile'], [debian.key, npm, version]);
  return ensureBase('node', key, { DEBIAN_IMAGE: debian.reference }, async (folder) => {
    fs.copyFileSync(binary, path.join(folder, 'node'));
    await fetchNpm(folder);
  });
}

/** The Debian and Node images made on this machine: `{reference, key}` of each. */
export async function localBases(secrets) {
  const debian = await debianBase(secrets);
  return { debian, node: await nodeBase(debian) };
}
