import { parseArgs } from 'node:util';
import { runFuzz } from './run-fuzz';

/** `npm run fuzz -- --minutes 10 --seed 1 [TARGET...]` */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Date.now() % 1e9) },
    },
    allowPositionals: true,
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('--minutes takes a number above 0, --seed an integer');
  process.stdout.write(`seed ${String(seed)}, ${String(minutes)} min\n`);
  const { inputs, findings, slowest, growth } = await runFuzz({ seconds: minutes * 60 }, seed, positionals);
  for (const { target, what, file } of findings) process.stdout.write(`${target}: ${what}\n  ${file}\n`);
  const times = Object.entries(slowest).map(([target, ms]) => `${target} ${ms.toFixed(0)} ms`);
  process.stdout.write(`slowest: ${times.join(', ')}\n`);
  process.stdout.write(
    `${String(inputs)} inputs, ${String(findings.length)} findings, ${growth.toFixed(0)} MiB more at most\n`,
  );
  process.exitCode = findings.length === 0 ? 0 : 1;
};

void main();
