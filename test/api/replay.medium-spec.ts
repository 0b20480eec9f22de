import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  aCatalogue,
  aNewSession,
  anId,
  dataFile,
  modelFile,
  unrefined,
  usualRuns,
  walkBench,
  type Walk,
} from '@fleet/testing';
import { Client } from 'pg';
import type { ShadowReport } from '../../apps/cli/src/shadow/group-replays';
import { openStore, type OpenStore } from '../support/servers';
import { RealGateway } from './real-gateway';

/** R-free of submitted models: above 0.50, and with the changed rule from 0.46, a model is not in its place. */
const quality = [0.3, 0.44, 0.47, 0.485, 0.52];
const affected = [0.47, 0.485];

/** Ended sessions in a real database that only the gateway reads. */
describe('sessions replayed with changed rules', () => {
  const bench = walkBench({ installed: 'open', runs: { ...usualRuns, model_vs_data: unrefined } });
  let gateway: RealGateway;
  let opened: OpenStore;
  let knowledge: string;
  const idOf = new Map<number, string>();

  const store = async ({ session, stop }: Walk): Promise<string> => {
    const { request, cycles } = session;
    const resume = { status: 'completed', stage: 'deciding', cycle: session.cycle, attempt: 1, cycles, stop } as const;
    const made = aNewSession({ id: anId(), request, resume });
    await opened.store.records.create(made, [], 1000);
    return made.id;
  };

  beforeAll(async () => {
    gateway = await RealGateway.start({ env: { FLEET_ADMIN_API: 'on' } });
    opened = await openStore(gateway.servers.databaseUrl);
    await opened.store.catalogues.publish(aCatalogue());
    for (const r_free of quality) {
      const runs = { model_vs_data: [{ metrics: { r_free, r_work: r_free - 0.03 } }] };
      idOf.set(r_free, await store(await bench.walk([dataFile(), modelFile()], runs)));
    }
    knowledge = join(gateway.root, 'knowledge');
    cpSync(join(__dirname, '../../knowledge'), knowledge, { recursive: true });
    const file = join(knowledge, 'workflows/xray.yaml');
    const text = readFileSync(file, 'utf8');
    const changed = text.replace('model_vs_data.r_free, at_least: 0.50', 'model_vs_data.r_free, at_least: 0.46');
    expect(changed).not.toBe(text);
    writeFileSync(file, changed);
  });
  afterAll(async () => {
    await opened.close();
    await gateway.stop();
  });

  /** Every row of every table. */
  const database = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
    const client = new Client({ connectionString: gateway.servers.databaseUrl });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    const contents: [string, readonly string[]][] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`);
      contents.push([name, rows.map(({ row }) => row)]);
    }
    await client.end();
    return Object.fromEntries(contents);
  };

  it('are listed exactly when a changed rule affects them, and nothing is written', async () => {
    const before = await database();
    expect(before['sessions']).toHaveLength(quality.length);
    const args = ['admin', 'shadow', '--since', '2020-01-01', '--knowledge', knowledge];
    const report = JSON.parse((await gateway.phx(['--json', ...args])).out) as ShadowReport;
    const expected = affected.map((value) => idOf.get(value)).sort();
    expect(report).toMatchObject({ sessions: quality.length, affected: affected.length });
    expect(report.undetermined).toEqual([]);
    expect([...new Set(report.rules.flatMap(({ ids }) => ids))].sort()).toEqual(expected);
    expect(report.rules[0]).toMatchObject({
      rule: 'xray detection not-placed',
      changes: [{ from: 'phenix.refine', to: 'phenix.phaser' }],
    });
    const { code, out } = await gateway.phx(args);
    expect(code).toBe(0);
    expect(out).toMatch(/^2 of 5 sessions differ under knowledge [0-9a-f]{12}; decisions: /);
    expect(out).toMatch(/\nxray detection not-placed +2 +\d+ +phenix\.refine → phenix\.phaser ×\d+/);
    expect(await database()).toEqual(before);
  });

  it('are replayed only with valid knowledge, and only since a date', async () => {
    const nowhere = await gateway.phx(['admin', 'shadow', '--since', '2020-01-01', '--knowledge', '/nowhere']);
    expect(nowhere).toMatchObject({ code: 2 });
    expect(nowhere.err).toContain('/nowhere');
    const none = await gateway.phx(['--json', 'admin', 'shadow', '--since', '2099-01-01']);
    expect(JSON.parse(none.out)).toMatchObject({ sessions: 0, affected: 0, rules: [] });
  });
});
