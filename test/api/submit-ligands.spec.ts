import type { ApiProblem, Session } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

describe('POST /v1/sessions with ligands that have no file', () => {
  const gateway = useStarted('file', () => GatewayHarness.start());

  const refused = async (body: unknown): Promise<readonly string[]> => {
    const answer = await gateway.submit(body);
    const { problems } = answer.json() as { problems: readonly ApiProblem[] };
    expect(answer.status).toBe(422);
    return problems.map(({ code, field }) => `${code ?? ''} ${field}`).sort();
  };

  it('takes ligands by code and by SMILES, and names each SMILES', async () => {
    const files = [gateway.file('ligands/a.sca')];
    const ligands = [{ code: 'NAG' }, { smiles: 'CN1C(=O)C=Cc2ccccc12' }, { smiles: 'c1ccccc1', id: 'BNZ' }];
    const { id, request } = (await gateway.submit({ files, ligands })).json() as Session;
    const named = [ligands[0], { ...ligands[1], id: 'LIG' }, ligands[2]];
    expect(request.ligands).toEqual(named);
    expect((await gateway.store.records.load(id))?.request.ligands).toEqual(named);
    const events = JSON.stringify(await gateway.store.events.after(id, '0', 10));
    expect(events).toContain('LIG (from SMILES)');
    expect(events).not.toContain('CN1C');
  });

  it.each([
    [
      'its shape',
      [{ code: 'nag' }, { smiles: 'C C' }, { colour: 'red', code: 'NAG' }],
      ['field.unknown ligands[2].colour', 'field.value ligands[0].code', 'field.value ligands[1].smiles'],
    ],
    [
      'what it says',
      [{ code: 'NAG', id: 'LIG' }, { smiles: 'CC(C' }, {}],
      ['field.value ligands[0].id', 'field.value ligands[1].smiles', 'field.value ligands[2]'],
    ],
  ])('reports the problem of each ligand with %s', async (_, ligands, problems) => {
    expect(await refused({ files: [gateway.file('ligands/b.sca')], ligands })).toEqual(problems);
  });

  it('treats another ligand as another submission of the same key', async () => {
    const files = [gateway.file('ligands/c.sca')];
    const send = async (smiles: string): Promise<number> =>
      (await gateway.submit({ files, ligands: [{ smiles }] }, { 'idempotency-key': 'one-ligand' })).status;
    expect([await send('CCO'), await send('CCO'), await send('CCN')]).toEqual([201, 201, 409]);
  });
});
