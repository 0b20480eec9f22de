// `node --import …/collect-on-signal.mjs app.js`: on SIGWINCH, which no service listens to, the process collects its garbage and says what is left.
// One line: "collected" and JSON, in MiB.
// Resident memory alone says little of a leak: it grows until V8 finds it worth a full collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const mebibyte = 2 ** 20;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

process.on('SIGWINCH', () => {
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.stdout.write(
    `collected ${JSON.stringify({ live: (heapUsed + external) / mebibyte, resident: rss / mebibyte })}\n`,
  );
});
