import type { CheckupView, Finding } from '@fleet/contracts/administration';
import { trialWaitsMs, type SiteLooks } from '@fleet/ports';

interface Looked {
  readonly looks: SiteLooks;
  /** Simulates the passage of time. */
  readonly pass: (ms: number) => Promise<void>;
}

const leaseMs = 30_000;
const good: Finding = { check: 'trial.cpu.start', level: 'ok', seen: 'It started.' };

/** The behavior of every SiteLooks. */
export const siteLooksContract = (name: string, make: () => Promise<Looked>): void => {
  describe(`${name} as SiteLooks`, () => {
    let looks: SiteLooks;
    let pass: Looked['pass'];
    beforeEach(async () => {
      ({ looks, pass } = await make());
    });

    it('stores the last findings of an executor', async () => {
      expect(await looks.look()).toBeUndefined();
      const look = (by: string): CheckupView => ({ at: '2026-11-25T08:00:00.000Z', by, findings: [good] });
      await looks.publish(look('executor-1'));
      await looks.publish(look('executor-2'));
      expect(await looks.look()).toEqual(look('executor-2'));
    });

    it('keeps one trial at a time, assigns it to one executor, and returns its findings', async () => {
      expect([await looks.trial(), await looks.takeTrial('executor-1', leaseMs)]).toEqual([undefined, undefined]);
      expect(await looks.askTrial('t1', 'ada')).toMatchObject({
        id: 't1',
        state: 'waiting',
        askedBy: 'ada',
        findings: [],
      });
      expect(await looks.askTrial('t2', 'bob')).toMatchObject({ id: 't1', askedBy: 'ada' });
      expect(await looks.takeTrial('executor-1', leaseMs)).toEqual({ id: 't1' });
      expect(await looks.takeTrial('executor-2', leaseMs)).toBeUndefined();
      expect(await looks.trial()).toMatchObject({ state: 'running', executor: 'executor-1' });
      await looks.endTrial({ id: 'another' }, []);
      await looks.endTrial({ id: 't1' }, [good]);
      const ended = await looks.trial();
      expect(ended).toMatchObject({ state: 'done', findings: [good] });
      expect(Date.parse(ended?.endedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(ended?.requestedAt ?? ''));
      expect(await looks.takeTrial('executor-1', leaseMs)).toBeUndefined();
      expect(await looks.askTrial('t2', '')).toMatchObject({ id: 't2', state: 'waiting', findings: [] });
    });

    it('reassigns it if the first executor has died, whose next report is refused', async () => {
      await looks.askTrial('t1', '');
      await looks.takeTrial('executor-1', leaseMs);
      await pass(leaseMs - 5_000);
      expect(await looks.keepTrial({ id: 't1' }, 'executor-1', leaseMs)).toBe(true);
      await pass(leaseMs - 5_000);
      expect(await looks.takeTrial('executor-2', leaseMs)).toBeUndefined();
      await pass(leaseMs);
      expect(await looks.takeTrial('executor-2', leaseMs)).toEqual({ id: 't1' });
      expect(await looks.keepTrial({ id: 't1' }, 'executor-1', leaseMs)).toBe(false);
    });

    it('abandons a trial that does not end: another one can be requested', async () => {
      await looks.askTrial('t1', '');
      await looks.takeTrial('executor-1', leaseMs);
      await pass(trialWaitsMs);
      expect(await looks.trial()).toMatchObject({ state: 'given_up' });
      expect(await looks.keepTrial({ id: 't1' }, 'executor-1', leaseMs)).toBe(false);
      expect(await looks.takeTrial('executor-2', leaseMs)).toBeUndefined();
      await looks.endTrial({ id: 't1' }, [good]);
      expect(await looks.askTrial('t2', '')).toMatchObject({ id: 't2', state: 'waiting' });
    });
  });
};
