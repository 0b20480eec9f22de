#!/usr/bin/env node
// npm run images: builds the container images of the project; docs/container-images.md describes their contents.
import path from 'node:path';
import { buildImages, buildPhenix } from './images/build.mjs';
import { writeBill } from './images/bill-of-materials.mjs';
import { images, projectVersion } from './images/catalogue.mjs';
import { imageCache, indexFile, readIndex } from './images/index-file.mjs';
import { command } from './setup/command.mjs';
import { systemPath } from './setup/commands.mjs';
import { SetupProblem, step } from './setup/progress.mjs';
import { load, nameThoseOnNode } from './cluster/lifecycle.mjs';

const usage = `npm run images -- COMMAND [options]

  build      builds what is missing or has changed, and says so in the index
  load       the same, then imports those that the development cluster (npm run cluster:up) does not have
  list       the images of the index; --json for programs
  sbom FOLDER  builds what is missing, and writes what is in each as CycloneDX: FOLDER/service-0.1.0.cdx.json (Linux, Go 1.26; the
             first time it builds syft)
  phenix FOLDER  your licensed PHENIX with the runner in it, out of the folder that holds its installer, or out of an
             installation: --installed-at names the path it was installed to. --tag is needed. Not to be passed on.

  --only NAMES             ${Object.keys(images).join(', ')}; with commas between them (default: all)
  --tag TAG                one more tag of the same content, and the one that is archived (default ${projectVersion()}, from package.json)
  --fresh                  build: everything again, also what is current, and no layer taken over
  --push-archive DIR       writes a docker-archive of each: docker load -i FILE, node scripts/cluster.mjs load FILE
  --node-image REF@DIGEST  what compiles, such as node:24-bookworm-slim@sha256:…
  --debian-image REF@DIGEST  what the images stand on, such as debian:bookworm-slim@sha256:…
  --json

Without base images a local Debian is made by debootstrap (root, Debian's packages), with Node from the npm package \`node\`.
Index: ${indexFile}
FLEET_DEBIAN_MIRROR and FLEET_IMAGE_SOURCE (label org.opencontainers.image.source) are read from the environment.

Examples:
  npm run images -- build --only service,runner --push-archive /var/tmp/images
  npm run images -- sbom /var/tmp/bills --only service,runner,postgres,redis
  npm run images -- phenix /opt/phenix-2.0 --installed-at /opt/phenix-2.0 --tag 2.0
`;

const options = {
  only: { type: 'string', default: Object.keys(images).join(',') },
  tag: { type: 'string' },
  fresh: { type: 'boolean', default: false },
  'push-archive': { type: 'string' },
  'node-image': { type: 'string' },
  'debian-image': { type: 'string' },
  'installed-at': { type: 'string' },
  json: { type: 'boolean', default: false },
};

function chosen(names) {
  const only = names.split(',').map((name) => name.trim());
  const unknown = only.filter((name) => !Object.hasOwn(images, name));
  if (unknown.length === 0) return only;
  throw new SetupProblem(`There is no image ${unknown.join(', ')}.`, `Known: ${Object.keys(images).join(', ')}.`);
}

function requestOf(values) {
  if (values.tag !== undefined && !/^\w[\w.-]{0,127}$/.test(values.tag))
    throw new SetupProblem(`--tag ${values.tag} is not a tag.`);
  return {
    only: chosen(values.only),
    tag: values.tag,
    fresh: values.fresh,
    archiveFolder: values['push-archive'] && path.resolve(values['push-archive']),
    nodeImage: values['node-image'],
    debianImage: values['debian-image'],
  };
}

function print(entries, json) {
  if (json) return void process.stdout.write(`${JSON.stringify(entries, null, 2)}\n`);
  for (const { reference, sizeBytes, id, archive } of Object.values(entries)) {
    const size = `${(sizeBytes / 1e6).toFixed(0)} MB`.padStart(8);
    process.stdout.write(`${reference.padEnd(44)} ${size}  ${id.slice(7, 19)}${archive ? `  ${archive}` : ''}\n`);
  }
}

async function importInto(request, missing) {
  const only = missing.map(({ name }) => name);
  const archived = await buildImages({ ...request, only, archiveFolder: request.archiveFolder ?? imageCache });
  await step('import into the cluster', async () => {
    await load(Object.values(archived).map(({ archive }) => archive));
    return { note: only.join(', ') };
  });
}

const commands = {
  build: async (values) => print(await buildImages(requestOf(values)), values.json),
  load: async (values) => {
    const request = requestOf(values);
    const entries = await buildImages(request);
    const missing = await nameThoseOnNode(Object.values(entries));
    if (missing.length > 0) await importInto(request, missing);
    print(entries, values.json);
  },
  list: (values) => print(readIndex().images, values.json),
  sbom: async (values, folder) => {
    if (folder === undefined) throw new SetupProblem('A folder for the lists is needed.', 'npm run images -- --help');
    for (const entry of Object.values(await buildImages(requestOf(values))))
      process.stdout.write(`${await writeBill(entry, path.resolve(folder))}\n`);
  },
  phenix: async (values, folder) => {
    if (folder === undefined || values.tag === undefined)
      throw new SetupProblem('A folder and --tag are needed.', 'npm run images -- --help');
    const { tag, nodeImage, debianImage } = requestOf(values);
    const request = { folder: path.resolve(folder), tag, installedAt: values['installed-at'], nodeImage, debianImage };
    process.stdout.write(`${await buildPhenix(request)}\n`);
  },
};

async function work(values, positionals) {
  process.env.PATH = systemPath(); // for administration tools such as nft, debootstrap and chroot
  const [name, ...rest] = positionals;
  if (!Object.hasOwn(commands, name) || rest.length > (['phenix', 'sbom'].includes(name) ? 1 : 0))
    throw new SetupProblem(`${positionals.join(' ')} is not a command.`, 'npm run images -- --help');
  await commands[name](values, ...rest);
}

command({
  call: 'npm run images --',
  usage,
  options,
  allowPositionals: true,
  isComplete: (_, [name]) => name !== undefined,
  work,
});
