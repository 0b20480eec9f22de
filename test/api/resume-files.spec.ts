import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiProblem, Session } from '@fleet/contracts/sessions';
import { useStarted } from '@fleet/testing';
import { GatewayHarness, type JsonAnswer } from './gateway-harness';

const dictionary = [
  'data_comp_list',
  'loop_',
  '_chem_comp.id',
  '_chem_comp.three_letter_code',
  '_chem_comp.group',
  'NUT NUT non-polymer',
  'data_comp_NUT',
  'loop_',
  '_chem_comp_atom.comp_id',
  '_chem_comp_atom.atom_id',
  'NUT C1',
  '',
].join('\n');

describe('files and ligands that a resume adds', () => {
  const gateway = useStarted('file', () => GatewayHarness.start({ options: { maxFiles: 3 } }));

  const ended = async (name: string): Promise<Session> => {
    const answer = await gateway.submit({ files: [gateway.file(`${name}/data.sca`)] });
    const session = answer.json() as Session;
    const to = { ended: { reason: 'nothing_left', detail: 'all done', afterCycle: 0 } } as const;
    await gateway.store.records.advance({
      sessionId: session.id,
      fromVersion: session.version,
      to,
      events: [],
      dueInMs: 1,
    });
    return session;
  };
  const resume = (id: string, body: unknown): Promise<JsonAnswer> =>
    gateway.send('POST', `/v1/sessions/${id}/resume`, { body });
  const codes = (answer: JsonAnswer): unknown => {
    const { code, problems = [] } = answer.json() as { code: string; problems?: readonly ApiProblem[] };
    return [answer.status, code, ...problems.map((problem) => `${problem.code ?? ''} ${problem.field}`)];
  };

  it('are inspected, pinned and reported, and are added to the earlier files', async () => {
    const { id, request } = await ended('added');
    const path = gateway.file('added/NUT.cif', dictionary);
    const session = (await resume(id, { files: [path] })).json() as Session;
    expect(session.status).toBe('running');
    const [data, added, ...others] = session.request.inputs;
    expect([data, others]).toEqual([request.inputs[0], []]);
    expect(added).toMatchObject({ path, cycle: 0, facts: { format: 'restraints', restraints: { codes: ['NUT'] } } });
    expect(added?.pin?.sha256).toMatch(/^[0-9a-f]{64}$/);
    const event = (await gateway.store.events.after(id, '0', 10)).at(-1);
    expect(event).toMatchObject({
      type: 'session_resumed',
      message: 'Resumed at cycle 1 with NUT.cif',
      data: { files: ['NUT.cif'], changes: {} },
    });
    expect(session.request.steering).toBeUndefined();
  });

  it('are read again if the session has them, with their current content', async () => {
    const { id, request } = await ended('again');
    const path = request.inputs[0]!.path;
    writeFileSync(path, moreReflections);
    const session = (await resume(id, { files: [path], advice: 'the data are right now' })).json() as Session;
    expect(session.request.inputs).toHaveLength(1);
    expect(session.request.inputs[0]?.pin).not.toEqual(request.inputs[0]?.pin);
    expect((await gateway.store.events.after(id, '0', 10)).at(-2)?.message).toBe(
      'Resumed at cycle 1 with data.sca and other advice',
    );
  });

  it('may be ligands by code or SMILES, which replace the earlier ligands', async () => {
    const { id, request } = await ended('ligands');
    const ligands = [{ code: 'NAG' }, { smiles: 'CCO' }];
    const session = (await resume(id, { ligands })).json() as Session;
    const withId = [{ code: 'NAG' }, { smiles: 'CCO', id: 'LIG' }];
    expect(session.request).toMatchObject({
      ligands: withId,
      inputs: request.inputs,
      submittedAs: { ligands: [], files: request.inputs.map(({ path }) => path) },
    });
    expect((await gateway.store.events.after(id, '0', 10)).at(-1)).toMatchObject({
      message: 'Resumed at cycle 1 with other ligands',
      data: { changes: { ligands: { before: [], after: ['NAG', 'LIG (from SMILES)'] } } },
    });
  });

  it('do not change the submission that an idempotency key identifies', async () => {
    const body = { files: [gateway.file('keyed/data.sca')], ligands: [{ code: 'NAG' }] };
    const headers = { 'Idempotency-Key': 'resumed-with-another-ligand' };
    const submit = () => gateway.send('POST', '/v1/sessions', { body, headers });
    const session = (await submit()).json() as Session;
    const to = { ended: { reason: 'nothing_left', detail: 'all done', afterCycle: 0 } } as const;
    const { id: sessionId, version: fromVersion } = session;
    await gateway.store.records.advance({ sessionId, fromVersion, to, events: [], dueInMs: 1 });
    expect(((await resume(sessionId, { ligands: [] })).json() as Session).request.ligands).toBeUndefined();
    expect(((await submit()).json() as Session).id).toBe(sessionId);
  });

  it('are refused if a ligand has neither code nor SMILES', async () => {
    const { id } = await ended('no-ligand');
    expect(codes(await resume(id, { ligands: [{ id: 'LIG' }] }))).toEqual([
      400,
      'request.invalid',
      'field.value ligands[0]',
    ]);
  });

  it.each([
    ['one that is not there', () => [join(gateway.data, 'none.cif')], 'file.missing files[0]'],
    ['one outside the data folders', () => ['/etc/hostname'], 'file.outside_root files[0]'],
    ['one of no known format', () => [gateway.file('odd/odd.bin', '\0\u0001')], 'file.unknown_format files[0]'],
    ['something else', () => [7], 'field.type files[0]'],
    ['more than a session may have', () => ['/a', '/b', '/c'], 'files.too_many files'],
  ])('are refused with %s, and nothing is changed', async (name, files, problem) => {
    const { id, version } = await ended(name.replaceAll(' ', '-'));
    expect(codes(await resume(id, { files: files() }))).toEqual([400, 'request.invalid', problem]);
    expect(await gateway.store.records.loadHead(id)).toMatchObject({ version: version + 1, status: 'completed' });
  });
});

const moreReflections = [
  '    1',
  ' -987',
  '    61.400    61.400    96.500    90.000    90.000   120.000 p3221',
  '   1   0   3   134.5     4.5',
  '   1   0   4   224.1     7.2',
  '   1   0   5    94.7     3.3',
  '   1   0   6    94.7     3.3',
  '',
].join('\n');
