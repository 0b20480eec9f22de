// `node --require ./test/bench/tell-cpu.cjs …` says at its end, as the last line on standard error, how many microseconds of CPU it took.
const { writeSync } = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(2, `\n${user + system}`);
});
