// Which libs are mutated, and whose specs have to notice.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from '../setup/paths.mjs';

/** The smallest first. */
export const mutatedLibs = ['log-parsing', 'commands', 'files', 'workflow'];

const domain = mutatedLibs.filter((each) => each !== 'log-parsing').map((each) => `libs/domain/${each}`);
const walked = 'libs/application/decision-graph';

/** Names of the specs that walk whole sessions. */
const walkedSpecs = () =>
  fs.readdirSync(path.join(checkout, walked, 'src')).filter((name) => name.endsWith('.spec.ts'));

/** Specs, or folders of them, by round. What the quick specs of the domain do not notice is shown to those that walk whole sessions. */
export const roundsOf = (lib) =>
  lib === 'log-parsing' ? [['libs/domain/log-parsing']] : [domain, [...domain, walked]];

/** The domain's own specs together with the walked ones whose names hold one of these words. */
export const specsWith = (words) => {
  const chosen = walkedSpecs().filter((name) => words.some((word) => name.includes(word)));
  return [...domain, ...chosen.map((name) => `${walked}/src/${name}`)];
};
