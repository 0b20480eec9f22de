// The image's entry point: its first argument chooses the process. Node itself stays process 1, so signals reach the service.
'use strict';
const path = require('node:path');

const processes = {
  gateway: 'the HTTP API',
  'decision-worker': 'decides the next program',
  'executor-worker': 'runs programs',
  'log-analysis-worker': 'reads their logs',
  cli: 'phx, the command-line client; `phx` is the same',
};

const usage = `usage: PROCESS [ARGUMENT...]\n${Object.entries(processes)
  .map(([name, what]) => `  ${name.padEnd(20)} ${what}\n`)
  .join('')}`;

const [, , asked, ...rest] = process.argv;
const name = asked === 'phx' ? 'cli' : asked;

if (name === '--help') {
  process.stdout.write(usage);
} else if (!Object.hasOwn(processes, name ?? '')) {
  process.stderr.write(`${name === undefined ? 'No process was named.' : `There is no process "${name}".`}\n${usage}`);
  process.exitCode = 64;
} else {
  const main = path.join(__dirname, 'dist', 'apps', name, 'src', 'main.js');
  process.argv = [process.argv[0], main, ...rest];
  require(main);
}
