import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useStarted } from '@fleet/testing';
import { GatewayHarness } from './gateway-harness';

describe('the record of POST /v1/sessions', () => {
  const gateway = useStarted('file', () => GatewayHarness.start());

  const refused = async (body: unknown): Promise<string[]> => {
    const answer = await gateway.submit(body);
    const problem = answer.json() as { code: string; problems: { code: string; field: string }[] };
    expect([answer.status, problem.code]).toEqual([422, 'submission.invalid']);
    return problem.problems.map(({ code, field }) => `${code} ${field}`).sort();
  };

  describe('directives', () => {
    const directives = {
      stop_conditions: { after_program: 'phenix.refine' },
      program_settings: { default: { resolution: 2.5 } },
      constraints: ['no waters'],
    };

    it('are stored with the session', async () => {
      const answer = await gateway.submit({ files: [gateway.file('directives/a.sca')], directives });
      expect(answer.status).toBe(201);
      const { id } = answer.json() as { id: string };
      expect((await gateway.store.records.load(id))?.request.directives).toEqual(directives);
      expect((await gateway.store.events.after(id, '0', 1))[0]?.data.directives).toEqual(Object.keys(directives));
    });

    it.each([undefined, null, {}])('of %j are empty', async (nothing) => {
      const answer = await gateway.submit({ files: [gateway.file('directives/b.sca')], directives: nothing });
      const { id } = answer.json() as { id: string };
      expect((await gateway.store.records.load(id))?.request).not.toHaveProperty('directives');
    });

    it('are refused with the path of each invalid field, beside other problems', async () => {
      const wrong = {
        stop_conditions: { after_program: 'phenix.refien', after_cycle: 0 },
        workflow_preferences: { skip: [] },
        program_settings: { 'phenix.refine': { cycles: [3] } },
      };
      expect(await refused({ files: [gateway.file('directives/c.sca')], title: 7, directives: wrong })).toEqual([
        'directive.invalid directives.program_settings.phenix.refine.cycles',
        'directive.invalid directives.stop_conditions.after_cycle',
        'directive.invalid directives.stop_conditions.after_program',
        'directive.invalid directives.workflow_preferences.skip',
        'field.type title',
      ]);
      for (const directives of [7, [], 'stop'])
        expect(await refused({ files: [gateway.file('directives/c.sca')], directives })).toEqual([
          'directive.invalid directives',
        ]);
      const constraints = ['x'.repeat(20_000)];
      expect(await refused({ files: [gateway.file('directives/c.sca')], directives: { constraints } })).toEqual([
        'field.too_long directives',
      ]);
    });

    it('are part of the submission that an idempotency key identifies', async () => {
      const files = [gateway.file('directives/d.sca')];
      const key = { 'idempotency-key': 'directed' };
      expect((await gateway.submit({ files, directives }, key)).status).toBe(201);
      expect((await gateway.submit({ files, directives }, key)).headers['idempotency-replayed']).toBe('true');
      expect((await gateway.submit({ files }, key)).status).toBe(409);
    });
  });

  describe('session.json', () => {
    it('exists soon after the answer', async () => {
      const answer = await gateway.submit({ files: [gateway.file('disk/a.sca')] });
      const { id } = answer.json() as { id: string };
      expect(await gateway.written(id)).toMatchObject({ id, status: 'running', version: 1, cycles: [] });
    });

    it('that cannot be written fails the request, and the next try succeeds', async () => {
      const body = { files: [gateway.file('disk/d.sca')], proposal: 'full' };
      const key = { 'idempotency-key': 'full' };
      writeFileSync(join(gateway.work, 'full'), 'in the way');
      expect((await gateway.submit(body, key)).status).toBeGreaterThanOrEqual(500);
      rmSync(join(gateway.work, 'full'));
      const again = await gateway.submit(body, key);
      expect(again.status).toBe(201);
      expect(await gateway.written((again.json() as { id: string }).id)).toMatchObject({ version: 1 });
    });

    it('does not exist for a refused session', async () => {
      await gateway.submit({ files: [gateway.file('disk/e.sca', '')], proposal: 'refused' });
      expect(existsSync(join(gateway.work, 'refused'))).toBe(false);
    });
  });
});
