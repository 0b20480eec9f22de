import type { JsonValue } from '@fleet/contracts/sessions';
import { buildTransport } from '@fleet/decision-api';
import { projectRules } from '@fleet/testing';
import { deliver, figure, median } from './figures';

const mebi = 1024 * 1024;
const repetitions = 200;
const rounds = 7;

/** A log as refinement prints it: tables, quotes, braces, some tabs. */
const logLine = (index: number): string =>
  index % 20 === 0
    ? `  output { prefix = "refine_001"; serial = ${index} }\t# 'as given'\n`
    : `| ${String(index).padStart(4)}: 44.90 -  4.35 1.00 ${2800 + index}  148 0.1612 0.1835   54.61  24.83  0.99  0.97 |\n`;

const aRequest = (): JsonValue => ({
  api_version: '2.0',
  files: Array.from({ length: 50 }, (_, index) => `/data/session/refine_${index}_001.mtz`),
  cycle_number: 5,
  log_content: Array.from({ length: 600 }, (_, index) => logLine(index))
    .join('')
    .slice(0, 50_000),
  history: Array.from({ length: 4 }, (_, index) => ({
    cycle: index + 1,
    program: 'phenix.refine',
    command: 'phenix.refine model.pdb data.mtz output.prefix=refine_001',
    result: 'SUCCESS: Command completed without errors',
    analysis: { r_free: 0.25, r_work: 0.22 },
  })),
});

it('cleans, encodes and decodes requests of the decision API without slowing them', () => {
  const { transport: rules } = projectRules();
  const transport = buildTransport(rules);
  const request = aRequest();
  const bytes = Buffer.byteLength(JSON.stringify(request)) * repetitions;
  const speeds = Array.from({ length: rounds }, () => {
    const start = performance.now();
    for (let run = 0; run < repetitions; run += 1) {
      transport.decode(transport.encode(transport.cleanRequest(request)));
    }
    return bytes / mebi / ((performance.now() - start) / 1000);
  });
  deliver([figure('transport round trip (clean, encode, decode), MB/s', median(speeds), '>=', 50)]);
});
