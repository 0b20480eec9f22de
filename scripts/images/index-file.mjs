// The index: which images there are on this machine. Tests and demos read it instead of guessing names.
import fs from 'node:fs';
import path from 'node:path';
import { cacheRoot } from '../setup/paths.mjs';

export const imageCache = path.join(cacheRoot, 'images');
export const indexFile = path.join(imageCache, 'index.json');

const empty = { formatVersion: 1, images: {} };

/**
 * `images` by `<name>:<tag>`: name (`service`), tag, reference (what a pod names), id (sha256 of the image's configuration),
 * key (sha256 of what it was made from), sizeBytes (all layers, uncompressed), builtAt, seconds, and archive (docker-archive,
 * where one was written).
 */
export function readIndex() {
  if (!fs.existsSync(indexFile)) return empty;
  const index = JSON.parse(fs.readFileSync(indexFile, 'utf8'));
  return index.formatVersion === empty.formatVersion ? index : empty;
}

/** Adds or replaces one image; the file is replaced whole, so that nobody reads half of it. */
export function record(entry) {
  const index = readIndex();
  const next = { ...index, images: { ...index.images, [`${entry.name}:${entry.tag}`]: entry } };
  fs.mkdirSync(imageCache, { recursive: true });
  const partial = `${indexFile}.${process.pid}`;
  fs.writeFileSync(partial, `${JSON.stringify(next, null, 2)}\n`);
  fs.renameSync(partial, indexFile);
  return entry;
}
