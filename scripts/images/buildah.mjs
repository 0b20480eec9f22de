// buildah, the only builder that needs no daemon and nothing beyond chroot as root.
import fs from 'node:fs';
import path from 'node:path';
import { answerOf, needDebianPackages, onPath, run, systemPath } from '../setup/commands.mjs';
import { checkout } from '../setup/paths.mjs';

/** Ensures that these programs exist, each from the Debian package of its name; installs missing ones if permitted. */
export async function ensurePrograms(programs) {
  const missing = programs.filter((program) => onPath([program], systemPath()) === undefined);
  if (missing.length > 0) await needDebianPackages(missing, `Building images needs ${missing.join(' and ')}.`);
}

/** An image in buildah's store: its id, the uncompressed size of all its layers, its configuration. Undefined if there is none. */
export function inspectImage(reference) {
  const text = answerOf('buildah', ['inspect', '--type', 'image', reference]);
  if (text === undefined) return undefined;
  const found = JSON.parse(text);
  const layers = JSON.parse(found.Manifest).layers;
  return {
    id: `sha256:${found.FromImageID}`,
    sizeBytes: layers.reduce((sum, { size }) => sum + size, 0),
    config: found.OCIv1.config,
  };
}

/** Limit of open files: buildah's default is 1,024, and `npm ci` opens more at once if its cache has few of the packages. */
const openFiles = 16_384;

/**
 * Builds one image. Its layers are cached, so the next build repeats only changed steps. `fresh` ignores layers of earlier builds;
 * `contexts`: folders that replace stages of these names.
 */
export const bud = ({
  dockerfile,
  context,
  contexts = {},
  target,
  reference,
  args = {},
  labels = {},
  secrets = [],
  fresh = false,
}) =>
  run(
    'buildah',
    [
      ...['bud', '--isolation', 'chroot', '--layers', '--force-rm', '--ulimit', `nofile=${openFiles}`, ...secrets],
      ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
      ...Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]),
      ...Object.entries(contexts).flatMap(([name, folder]) => ['--build-context', `${name}=${folder}`]),
      ...(target === undefined ? [] : ['--target', target]),
      ...(fresh ? ['--no-cache'] : []),
      ...['--file', path.resolve(checkout, dockerfile), '--tag', reference, path.resolve(checkout, context)],
    ],
    { cwd: checkout, what: `The image ${reference}` },
  );

/**
 * Removes the images that newer builds have replaced: those without a name whose `label` has none of the current values (intermediate
 * stages of a build are labelled too, and the next build starts from them). An image that a container uses stays.
 */
export function removeReplaced(label, current) {
  const ours = ['--filter', 'dangling=true', '--filter', `label=${label}`];
  const ids = answerOf('buildah', ['images', '--quiet', '--no-trunc', ...ours]) ?? '';
  for (const id of ids.split('\n').filter(Boolean))
    if (!current.includes(inspectImage(id)?.config.Labels[label])) answerOf('buildah', ['rmi', id]);
}

export const tagImage = (reference, other) => run('buildah', ['tag', reference, other]);

/** Writes a docker-archive, which containerd, Docker and Podman import; an interrupted run leaves no file of that name. */
export async function writeArchive(reference, file) {
  const partial = `${file}.${process.pid}`;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.rmSync(partial, { force: true });
  try {
    await run('buildah', ['push', '--quiet', reference, `docker-archive:${partial}:${reference}`]);
    fs.renameSync(partial, file);
  } finally {
    fs.rmSync(partial, { force: true });
  }
}
