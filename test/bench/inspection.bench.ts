import { GemmiFileInspector } from '@fleet/file-inspection';
import { setTimeout as pause } from 'node:timers/promises';
import { GatewayHarness } from '../api/gateway-harness';
import { deliver, figure, quantile } from './figures';

const SUBMISSIONS = 20;
const FILE_BYTES = 20_000_000;
const head =
  'data_x\nloop_\n_atom_site.group_PDB\n_atom_site.auth_comp_id\n_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n';
const row = `ATOM 'ALA "B ${"'a ".repeat(20)}\n`;

let gateway: GatewayHarness;
let pool: GemmiFileInspector;
let url: string;

beforeAll(async () => {
  pool = new GemmiFileInspector({ maxWaiting: 200 });
  gateway = await GatewayHarness.start({ inspector: pool });
  url = await gateway.listen();
});

afterAll(async () => {
  await gateway.stop();
  await pool.onApplicationShutdown();
});

/** Milliseconds that a small request takes. */
const ping = async (): Promise<number> => {
  const start = performance.now();
  const answer = await fetch(`${url}/v1/ping`);
  await answer.text();
  return performance.now() - start;
};

describe('requests during the inspection of large files', () => {
  it('are answered, pings without delay', async () => {
    const content = Buffer.from(head + row.repeat(Math.ceil(FILE_BYTES / row.length)), 'latin1');
    const files = Array.from({ length: SUBMISSIONS }, (_, index) => gateway.file(`${String(index)}/x.cif`, content));
    let open = SUBMISSIONS;
    const statuses = files.map(async (file) => {
      const { status } = await gateway.submit({ files: [file] });
      open -= 1;
      return status;
    });
    const times: number[] = [];
    while (open > 0) {
      times.push(await ping());
      await pause(5);
    }
    const failed = (await Promise.all(statuses)).filter((status) => status >= 500).length;
    deliver([
      figure('p95 of a ping while 20 submissions of 20 MB are inspected (ms)', quantile(times, 0.95), '<=', 200),
      figure('submissions among them that were answered with a 500', failed, '<=', 0),
    ]);
  });
});
