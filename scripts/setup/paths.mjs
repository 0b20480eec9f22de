// Paths of this project. Caches are outside the checkout, so that a fresh clone finds them again.
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

export const cacheRoot = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'phenix-fleet');

export const openProgramsDirectory = process.env.FLEET_OPEN_PHENIX_DIR || path.join(cacheRoot, 'open-phenix');

const nodeInPackages = path.join(checkout, 'node_modules', '.bin', 'node');

/** The Node that the project runs on; it comes with the npm packages. */
export const projectNode = () => nodeInPackages;

/** PATH with the tools of the npm packages in front, Node 24 among them. */
export const toolPath = () => `${path.dirname(nodeInPackages)}${path.delimiter}${process.env.PATH ?? ''}`;
