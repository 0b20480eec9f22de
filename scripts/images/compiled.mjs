// The compiled services for an image: a copy of dist without files for debuggers, readable by any user.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';
import { imageCache } from './index-file.mjs';

/** Left out: source maps, and the build stamp, so that two builds of the same sources are equal. */
export const isForDebuggers = (file) => file.endsWith('.map') || path.basename(file) === '.phenix-fleet-sources';

function readableByAll(folder) {
  fs.chmodSync(folder, 0o755);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) readableByAll(name);
    else fs.chmodSync(name, 0o644);
  }
}

/** Runs `work` with the folder of such a copy and then removes the folder. */
export async function withCompiled(work) {
  fs.mkdirSync(imageCache, { recursive: true });
  const folder = fs.mkdtempSync(path.join(imageCache, 'compiled-'));
  try {
    fs.cpSync(path.join(checkout, 'dist'), folder, { recursive: true, filter: (file) => !isForDebuggers(file) });
    readableByAll(folder);
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
