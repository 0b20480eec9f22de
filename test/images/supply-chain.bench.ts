/** @needs buildah @needs root @needs linux */
import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deliver, figure } from '../bench/figures';
import { commandOf } from './built-images';
import { UnpackedImage } from './container';

interface Bill {
  readonly components: readonly { readonly purl?: string; readonly name: string; readonly version?: string }[];
}

const images = (...args: readonly string[]): Promise<string> =>
  commandOf(process.execPath, ['scripts/images.mjs', ...args]);

/** All paths below a folder. Links are not gone through: `readdirSync` with `recursive` does, out of the image (`/dev/fd`). */
const below = (root: string, folder = ''): readonly string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    return entry.isDirectory() ? [name, ...below(root, name)] : [name];
  });

/** npm packages as they are installed: `name@version` of each package.json that lies directly in a node_modules. */
const npmPackages = (root: string): readonly string[] =>
  below(path.join(root, 'app'))
    .filter((file) => /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(path.join(root, 'app', file), 'utf8')) as { name: string; version: string })
    .map(({ name, version }) => `${name}@${version}`);

/** Debian's packages: `name@version` of each that dpkg has installed. */
const debianPackages = (root: string): readonly string[] =>
  readFileSync(path.join(root, 'var/lib/dpkg/status'), 'utf8')
    .split('\n\n')
    .filter((stanza) => stanza.includes('\nStatus: install ok installed'))
    .map((stanza) => `${/^Package: (.+)$/m.exec(stanza)![1]!}@${/^Version: (.+)$/m.exec(stanza)![1]!}`);

/** What each path of an image holds: the digest of a file's content, where a link leads, and the rights. Times are left out. */
const contents = (root: string): ReadonlyMap<string, string> =>
  new Map(
    below(root).map((file) => {
      const absolute = path.join(root, file);
      const stat = lstatSync(absolute);
      const rights = [stat.mode, stat.uid, stat.gid].join(':');
      if (stat.isSymbolicLink()) return [file, `${rights} -> ${readlinkSync(absolute)}`];
      if (!stat.isFile()) return [file, rights];
      return [file, `${rights} ${createHash('sha256').update(readFileSync(absolute)).digest('hex')}`];
    }),
  );

const differing = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((file) => one.get(file) !== other.get(file));

const reference = async (): Promise<string> => {
  const entries = JSON.parse(await images('build', '--json', '--only', 'service')) as {
    readonly service: { readonly reference: string };
  };
  return entries.service.reference;
};

const unpacked = async <T>(read: (root: string) => T): Promise<T> => {
  const image = await UnpackedImage.of(await reference());
  try {
    return read(image.root);
  } finally {
    await image.dispose();
  }
};

/** What a site may want to know of the services' image before it installs it. */
describe('the service image', () => {
  it('is listed whole, and is the same when it is built again', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'fleet-bill-'));
    try {
      const file = (await images('sbom', folder, '--only', 'service')).trim();
      const bill = JSON.parse(readFileSync(file, 'utf8')) as Bill;
      const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version ?? ''}`));
      const inside = await unpacked((root) => [
        ...npmPackages(root),
        ...debianPackages(root),
        `node@${process.versions.node}`,
      ]);
      const first = await unpacked(contents);
      await images('build', '--fresh', '--only', 'service');
      const second = await unpacked(contents);
      const changed = differing(first, second);
      process.stderr.write(changed.map((name) => `  differs: ${name}\n`).join(''));
      const unlisted = inside.filter((name) => !listed.has(name));
      process.stderr.write(unlisted.map((name) => `  not listed: ${name}\n`).join(''));
      deliver([
        figure('packages in the image of the services', inside.length, '>=', 100),
        figure('… that its bill of materials lacks', unlisted.length, '<=', 0),
        figure('files in it', first.size, '>=', 1000),
        figure('… that another build from nothing makes otherwise (times left out)', changed.length, '<=', 0),
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 3_600_000);
});
