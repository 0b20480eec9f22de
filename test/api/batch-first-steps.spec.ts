import { join } from 'node:path';
import type { BatchRow } from '@fleet/contracts/batches';
import { aCatalogue, sourceThreadArguments, useStarted } from '@fleet/testing';
import { DecisionPool } from '../../apps/gateway/src/routes/decisions/decision-pool';
import { BatchClient } from './batch-client';
import { aModel, GatewayHarness } from './gateway-harness';

describe('a dry run', () => {
  const decisions = (): DecisionPool =>
    new DecisionPool({
      knowledge: join(__dirname, '../../knowledge'),
      threads: 1,
      maxWaiting: 10,
      longestWaitMs: 120_000,
      timeoutMs: 120_000,
      execArgv: sourceThreadArguments,
    });
  const gateway = useStarted('test', () => GatewayHarness.start({ decisions: decisions() }));

  const batches = new BatchClient(gateway);
  const checked = async (body: object): Promise<readonly BatchRow[]> => {
    const { id } = await batches.made({ start: 'never', ...body });
    await batches.lookedAt(id);
    return batches.rowsOf(id);
  };
  const rightAndWrong = (): Promise<readonly BatchRow[]> => {
    const files = [gateway.file('x1.sca'), gateway.file('m.pdb', aModel)];
    return checked({ rows: [{ files }, { files: ['/nowhere.mtz'] }] });
  };

  it('shows the first step of each row, decided in threads as the service decides', async () => {
    await gateway.store.catalogues.publish(aCatalogue());
    const [right, wrong] = await rightAndWrong();
    expect(right).toMatchObject({ state: 'checked', first: { program: 'phenix.xtriage', class: 'cpu' } });
    expect(right?.first?.command).toMatch(/^phenix\.xtriage .*x1\.sca/);
    expect([wrong?.state, wrong?.first]).toEqual(['rejected', undefined]);
  });

  it('names files that a row would not use, and refuses the row in strict mode', async () => {
    const files = [gateway.file('x1.sca'), gateway.file('x2.sca', 'other reflections'), gateway.file('m.pdb', aModel)];
    const [told, refused] = await checked({ rows: [{ files }, { files, strict: true }] });
    expect(told).toMatchObject({ state: 'checked', unused: [{ path: files[1], used: false }] });
    expect(refused).toMatchObject({ state: 'rejected', problems: [{ code: 'files.unused', field: 'files[1]' }] });
  });

  it('shows how long each row would wait for its slot, behind earlier rows', async () => {
    const { store } = gateway;
    await store.catalogues.publish(aCatalogue());
    const files = ['x1.sca', 'x2.sca', 'x3.sca'].map((name) => gateway.file(name));
    const made = () => checked({ rows: files.map((file) => ({ files: [file] })) });
    const waitsIn = (rows: readonly BatchRow[]): readonly unknown[] => rows.map(({ wait }) => wait);
    expect(waitsIn(await made())).toEqual([undefined, undefined, undefined]);
    await store.slots.counted({ maxRunning: 1, maxRunningPerProposal: 0, classes: { cpu: 0, gpu: 0 } });
    const reason = 'one program runs already, which is the limit';
    expect(waitsIn(await made())).toEqual([{ seconds: 0 }, { reason }, { reason }]);
    await store.launches.set({ mode: 'paused', reason: 'maintenance', by: 'ada' });
    expect(waitsIn(await made())[0]).toEqual({ reason: 'no programs are launched at the moment' });
  });

  it('shows no first step before an executor has published its programs', async () => {
    expect((await rightAndWrong()).map(({ state, first }) => [state, first])).toEqual([
      ['checked', undefined],
      ['rejected', undefined],
    ]);
  });
});
