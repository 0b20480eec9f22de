import { runFuzz } from '../fuzz/run-fuzz';

const inputs = 400;
/** Of this run; fuzz.long-spec.ts has others. */
const seed = 20_261_126;

it(`no input that nearly is a file or a request hangs, grows or breaks its reader (${String(inputs)} of seed ${String(seed)})`, async () => {
  expect(await runFuzz({ inputs }, seed)).toMatchObject({ findings: [], inputs });
});
