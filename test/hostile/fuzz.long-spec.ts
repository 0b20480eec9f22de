import { runFuzz } from '../fuzz/run-fuzz';

/** Seconds; `FUZZ_SECONDS` for another time, `FUZZ_SEED` for another run. By hand: `npm run fuzz -- --minutes 10`. */
const seconds = Number(process.env['FUZZ_SECONDS'] ?? '600');
const seed = Number(process.env['FUZZ_SEED'] ?? String(Date.now() % 1_000_000_000));

it(`no input that nearly is a file or a request hangs, grows or breaks its reader (seed ${String(seed)})`, async () => {
  const { inputs, findings } = await runFuzz({ seconds }, seed);
  expect(findings).toEqual([]);
  expect(inputs).toBeGreaterThan(0);
});
