import { join, resolve } from 'node:path';

const setup = resolve(__dirname, '../../scripts/setup');
const load = process.getBuiltinModule('node:module').createRequire(join(setup, 'here.cjs'));

/** A module of scripts/setup, which Jest cannot load itself. */
export const setupScript = (name: string): unknown => load(`./${name}`);
