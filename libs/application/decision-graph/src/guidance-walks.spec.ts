import { checkedReading, firstGuidance, nextGuidance, type ReadAdvice } from '@fleet/advice';
import type { Guidance } from '@fleet/contracts/guidance';
import type { Session } from '@fleet/contracts/sessions';
import { aSession, dataFile, modelFile, refinements, usualRuns, walkBench, words, type Walk } from '@fleet/testing';

const bench = walkBench({ installed: 'all', runs: { ...usualRuns, refine: refinements(0.25, 0.24, 0.23, 0.22) } });
const files = [dataFile(), modelFile()];
const at = '2026-11-22T18:00:00.000Z';

const read: ReadAdvice = (raw) => checkedReading(raw, bench.ruleBook, { experiment: 'xray' });

/** A walk with this advice from the submission on. */
const walkWith = (text: string): Promise<Walk> => {
  const guidance = firstGuidance({ sources: [{ from: 'text', text }] }, read, at)!;
  return bench.walk(files, {}, { guidance });
};

/** The guidance after this advice on the session in its current state. */
const guidanceAfter = (session: Session, text: string): Guidance =>
  nextGuidance(session, { sources: [{ from: 'text', text }] }, read, at)!;

describe('advice during a session', () => {
  it('is followed from the submission on', async () => {
    expect(words(await walkWith('Just run xtriage.'))).toBe('xtriage STOP goal_reached');
    expect(words(await bench.walk(files))).toContain('molprobity');
    expect(words(await walkWith('Skip molprobity.'))).not.toContain('molprobity');
  });

  it('ends a running session after its cycle if it is only "stop"', async () => {
    const whole = await bench.walk(files);
    const from = whole.session.cycles.slice(0, 2);
    const guidance = guidanceAfter(aSession({ cycles: from, cycle: 3 }), 'stop');
    const walked = await bench.walk(files, {}, { from, guidance });
    expect(walked.stop).toMatchObject({ reason: 'goal_reached', afterCycle: 3 });
    expect(walked.programs).toHaveLength(2);
  });

  it('resumes a finished session, and counts from then on', async () => {
    const { session } = await bench.walk(files);
    const from = session.cycles;
    const guidance = guidanceAfter({ ...session, status: 'completed' }, 'refine once more and stop');
    const walked = await bench.walk(files, {}, { from, guidance });
    expect(words(walked)).toMatch(/^refine STOP/);
  });
});
