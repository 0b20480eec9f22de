// Properties (fast-check) draw the same values in each run of npm test, so that it fails because of a change and not by chance.
// FLEET_TEST_SEED draws others; npm run test:long draws new ones each time.
import { createRequire } from 'node:module';

/** As the tests load it: they are compiled to CommonJS. */
const { configureGlobal } = createRequire(import.meta.url)('fast-check');

configureGlobal({ seed: Number(process.env.FLEET_TEST_SEED ?? 1) });
