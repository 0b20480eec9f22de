// Builds only the images that have changed, and maintains the index of images.
import fs from 'node:fs';
import path from 'node:path';
import { answerOf } from '../setup/commands.mjs';
import { ensureBuild, ensureNodePackages } from '../setup/node-packages.mjs';
import { checkout } from '../setup/paths.mjs';
import { SetupProblem, step } from '../setup/progress.mjs';
import { withBuildSecrets } from './build-host.mjs';
import { bud, ensurePrograms, inspectImage, removeReplaced, tagImage, writeArchive } from './buildah.mjs';
import { images, projectVersion, referenceOf, withThoseUsed } from './catalogue.mjs';
import { withCompiled } from './compiled.mjs';
import { contentKey } from './content-key.mjs';
import { imageCache, readIndex, record } from './index-file.mjs';
import { localBases } from './local-bases.mjs';
import { withLock } from '../cluster/lock.mjs';

const keyLabel = 'io.phenix-fleet.content-key';
const longestBuildMs = 30 * 60_000;

const inMegabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** The commit that an image is built from, with a mark for uncommitted changes. */
function revision() {
  const git = (...args) => answerOf('git', ['-C', checkout, ...args]);
  const commit = git('rev-parse', 'HEAD');
  if (commit === undefined) return 'unknown';
  return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}-changed`;
}

const labels = (key) => ({
  'org.opencontainers.image.version': projectVersion(),
  'org.opencontainers.image.revision': revision(),
  ...(process.env.FLEET_IMAGE_SOURCE && { 'org.opencontainers.image.source': process.env.FLEET_IMAGE_SOURCE }),
  [keyLabel]: key,
});

/** Keys of these images by name; a change of a base or lower image changes the keys of those above. */
function keysOf(names, bases) {
  const keys = {};
  for (const name of names) {
    const image = images[name];
    const below = [
      ...image.bases.map((base) => bases[base].key),
      ...Object.values(image.uses).map((used) => keys[used]),
    ];
    keys[name] = contentKey([image.dockerfile, ...image.inputs()], [name, projectVersion(), below]);
  }
  return keys;
}

async function ensureCompiled(names) {
  if (!names.some((name) => images[name].compiled)) return;
  await ensureNodePackages();
  await ensureBuild();
}

const isCurrent = (reference, key) => inspectImage(reference)?.config.Labels?.[keyLabel] === key;

async function buildOne(name, { key, bases, secrets, fresh }) {
  const image = images[name];
  const reference = referenceOf(name, projectVersion());
  if (!fresh && isCurrent(reference, key)) return readIndex().images[`${name}:${projectVersion()}`]?.seconds;
  const baseArguments = image.bases.map((base) => [`${base.toUpperCase()}_IMAGE`, bases[base].reference]);
  const useArguments = Object.entries(image.uses).map(([argument, used]) => [
    argument,
    referenceOf(used, projectVersion()),
  ]);
  const start = Date.now();
  await step(`image ${name}`, async () => {
    const args = Object.fromEntries([...baseArguments, ...useArguments]);
    const build = (contexts) => bud({ ...image, contexts, reference, args, labels: labels(key), secrets, fresh });
    await (image.compiled ? withCompiled((compiled) => build({ compiled })) : build({}));
    return { note: inMegabytes(inspectImage(reference).sizeBytes) };
  });
  return Math.round((Date.now() - start) / 1000);
}

async function archiveOf(entry, folder) {
  const archive = path.join(folder, `${entry.name}-${entry.tag}-${entry.id.slice(7, 19)}.tar`);
  if (!fs.existsSync(archive)) {
    const older = new RegExp(`^${entry.name}-${entry.tag.replaceAll('.', '\\.')}-[0-9a-f]{12}\\.tar$`);
    fs.mkdirSync(folder, { recursive: true });
    for (const file of fs.readdirSync(folder).filter((file) => older.test(file))) fs.rmSync(path.join(folder, file));
    await step(`archive of ${entry.reference}`, () => writeArchive(entry.reference, archive).then(() => ({})));
  }
  return archive;
}

/** Records an image under one tag, with its archive if requested. */
async function publish({ name, tag, key, seconds, archiveFolder }) {
  const reference = referenceOf(name, tag);
  const own = referenceOf(name, projectVersion());
  if (reference !== own) await tagImage(own, reference);
  const { id, sizeBytes } = inspectImage(reference);
  const known = readIndex().images[`${name}:${tag}`];
  const same = known?.id === id;
  const builtAt = same ? known.builtAt : new Date().toISOString();
  const entry = { name, tag, reference, id, key, sizeBytes, builtAt, seconds };
  const archive = archiveFolder === undefined ? same && known.archive : await archiveOf(entry, archiveFolder);
  record({ ...entry, ...(archive && fs.existsSync(archive) && { archive }) });
  if (!same)
    removeReplaced(
      keyLabel,
      Object.values(readIndex().images).map((image) => image.key),
    );
  return readIndex().images[`${name}:${tag}`];
}

function baseGiven(reference) {
  if (!/@sha256:[0-9a-f]{64}$/.test(reference))
    throw new SetupProblem(`${reference}: a base image is named with its digest (NAME:TAG@sha256:…).`);
  return { reference, key: reference };
}

async function chooseBases({ nodeImage, debianImage }, secrets) {
  if ((nodeImage === undefined) !== (debianImage === undefined))
    throw new SetupProblem('--node-image and --debian-image go together.');
  if (nodeImage !== undefined) return { node: baseGiven(nodeImage), debian: baseGiven(debianImage) };
  return localBases(secrets);
}

/**
 * Ensures that these images and those below them exist and are current; returns the index entries of the requested images, by name.
 * `tag` adds a tag to the same content; `archiveFolder` receives a docker-archive of each; `fresh` builds the requested images from
 * their first step, without cached layers.
 */
export async function buildImages({ only, tag = projectVersion(), archiveFolder, nodeImage, debianImage, fresh }) {
  await ensurePrograms(['buildah']);
  return withLock(path.join(imageCache, 'build.lock'), longestBuildMs, () =>
    withBuildSecrets(async (secrets, files) => {
      const bases = await chooseBases({ nodeImage, debianImage }, files);
      const needed = withThoseUsed(only);
      await ensureCompiled(needed);
      const keys = keysOf(needed, bases);
      const entries = {};
      for (const name of needed) {
        const requested = only.includes(name);
        const seconds = await buildOne(name, { key: keys[name], bases, secrets, fresh: fresh && requested });
        entries[name] = await publish({
          ...{ name, key: keys[name], seconds },
          tag: requested ? tag : projectVersion(),
          archiveFolder: requested ? archiveFolder : undefined,
        });
      }
      return Object.fromEntries(only.map((name) => [name, entries[name]]));
    }),
  );
}

/**
 * Wraps a facility's PHENIX (docker/phenix/Dockerfile): `folder` holds its installer or, if `installedAt` names the path it was
 * installed to, is the installation. Such images are not in the index, so no demo or test redistributes them.
 */
export async function buildPhenix({ folder, tag, installedAt, ...bases }) {
  if (!fs.existsSync(folder)) throw new SetupProblem(`There is no ${folder}.`);
  const { runner } = await buildImages({ only: ['runner'], ...bases });
  const reference = referenceOf('phenix', tag);
  const kind =
    installedAt === undefined ? { PHENIX_FROM: 'installer' } : { PHENIX_FROM: 'tree', PHENIX_DIR: installedAt };
  await step(`image ${reference}`, () =>
    withBuildSecrets(async (secrets, files) => {
      const { debian } = await chooseBases(bases, files);
      const args = { ...kind, DEBIAN_IMAGE: debian.reference, RUNNER_IMAGE: runner.reference };
      await bud({ dockerfile: 'docker/phenix/Dockerfile', context: folder, reference, args, secrets });
      return { note: inMegabytes(inspectImage(reference).sizeBytes) };
    }),
  );
  return reference;
}
