// `node --import …/collect-on-signal.mjs app.js`: on SIGUSR2 the process collects its garbage and writes what is left, in MiB, on a line.
// Resident memory alone says little of a leak: it grows until V8 finds it worth a full collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const mebibyte = 2 ** 20;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGUSR2', () => {
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.stdout.write(
    `collected ${JSON.stringify({ live: (heapUsed + external) / mebibyte, resident: rss / mebibyte })}\n`,
  );
});
