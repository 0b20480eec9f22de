// The index of the images on this machine. Tests and demos read it instead of guessing names.
import fs from 'node:fs';
import path from 'node:path';
import { cacheRoot } from '../setup/paths.mjs';

export const imageCache = path.join(cacheRoot, 'images');
export const indexFile = path.join(imageCache, 'index.json');

const empty = { formatVersion: 1, images: {} };

/**
 * `images` by `<name>:<tag>`: name (`service`), tag, reference (for pods), id (sha256 of the image's configuration), key (sha256 of
 * its inputs), sizeBytes (all layers, uncompressed), builtAt, seconds, and archive (docker-archive, if one was written).
 */
export function readIndex() {
  if (!fs.existsSync(indexFile)) return empty;
  const index = JSON.parse(fs.readFileSync(indexFile, 'utf8'));
  return index.formatVersion === empty.formatVersion ? index : empty;
}

/** Adds or replaces one image. The file is replaced atomically, so no process reads half of it. */
export function record(entry) {
  const index = readIndex();
  const next = { ...index, images: { ...index.images, [`${entry.name}:${entry.tag}`]: entry } };
  fs.mkdirSync(imageCache, { recursive: true });
  const partial = `${indexFile}.${process.pid}`;
  fs.writeFileSync(partial, `${JSON.stringify(next, null, 2)}\n`);
  fs.renameSync(partial, indexFile);
  return entry;
}
