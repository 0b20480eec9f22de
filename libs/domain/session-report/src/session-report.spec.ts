import {
  decisionEventLevels,
  eventLevels,
  type CycleRecord,
  type EventType,
  type SessionEvent,
  type Verbosity,
} from '@fleet/contracts/sessions';
import { aCycle, aDecision, anAttempt, anEvent, aResult } from '@fleet/testing';
import { commandText, durationText, formatCycle, formatEvent, metricTrend, plainLine, qualityWord } from './index';

type DecisionEvent = keyof typeof decisionEventLevels;

const event = (type: EventType, changes: Partial<SessionEvent> = {}): SessionEvent =>
  anEvent({ type, cycle: 3, message: 'something', ...changes });

describe('an event line', () => {
  /** phenix-agent.md#events */
  const levelsOfTheSeed: readonly (readonly [DecisionEvent, Verbosity])[] = [
    ['cycle_start', 'quiet'],
    ['cycle_complete', 'quiet'],
    ['state_detected', 'normal'],
    ['metrics_extracted', 'normal'],
    ['metrics_trend', 'normal'],
    ['sanity_check', 'normal'],
    ['program_selected', 'normal'],
    ['program_modified', 'normal'],
    ['stop_decision', 'normal'],
    ['directive_applied', 'normal'],
    ['user_request_invalid', 'quiet'],
    ['files_selected', 'verbose'],
    ['file_scored', 'verbose'],
    ['command_built', 'normal'],
    ['thought', 'verbose'],
    ['error', 'quiet'],
    ['warning', 'quiet'],
    ['debug', 'verbose'],
  ];
  const verbosities = ['quiet', 'normal', 'verbose'] as const;

  it.each(levelsOfTheSeed)('of %s is shown from the level %s on', (type, level) => {
    const shown = verbosities.filter((verbosity) => formatEvent(event(type), verbosity).length > 0);
    expect(shown).toEqual(verbosities.slice(verbosities.indexOf(level)));
  });

  it('of a session that continues is only shown at the highest level', () => {
    const shown = (stop: boolean): readonly string[] =>
      verbosities.filter((verbosity) => formatEvent(event('stop_decision', { data: { stop } }), verbosity).length > 0);
    expect([shown(false), shown(true)]).toEqual([['verbose'], ['normal', 'verbose']]);
  });

  it("is of one of the agent's 18 types, or about the life cycle of a session or a program", () => {
    expect(Object.keys(decisionEventLevels).sort()).toEqual(levelsOfTheSeed.map(([type]) => type).sort());
    expect(levelsOfTheSeed).toHaveLength(18);
    const others = Object.keys(eventLevels).filter((type) => !(type in decisionEventLevels));
    expect(others.filter((type) => !/^(session|attempt|cycles|advice)_/.test(type))).toEqual([]);
  });

  it('has a label for each type, and a rule for a cycle', () => {
    const lines = (Object.keys(eventLevels) as EventType[]).map((type) => formatEvent(event(type), 'verbose')[0] ?? '');
    expect(lines.every((line) => line.endsWith('something'))).toBe(true);
    expect(formatEvent(event('cycle_start', { message: '' }), 'quiet')).toEqual(['── Cycle 3 ──']);
    expect(formatEvent(event('error'), 'quiet')).toEqual(['  ERROR      something']);
  });

  it('names a cycle once', () => {
    expect(formatEvent(event('cycle_start', { message: 'Cycle 3' }), 'normal')).toEqual(['── Cycle 3 ──']);
    expect(formatEvent(event('cycle_start', { message: 'again' }), 'normal')).toEqual(['── Cycle 3 ── again']);
  });

  it('reports a result once: the numbers with the metrics, then the outcome and its time; both in one if metrics are hidden', () => {
    const data = { outcome: 'success', durationMs: 65_000 };
    const done = event('cycle_complete', { message: 'phenix.refine succeeded: R-free 0.25', data });
    expect(formatEvent(done, 'normal')).toEqual(['  result     success after 1 min 05 s']);
    expect(formatEvent(done, 'quiet')).toEqual(['  result     phenix.refine succeeded: R-free 0.25']);
    const failed = { ...done, data: { ...data, outcome: 'failed' } };
    expect(formatEvent(failed, 'quiet')).toEqual(['  result     failed after 1 min 05 s']);
  });

  it('escapes control characters of names and logs', () => {
    const [line] = formatEvent(event('warning', { message: 'a\u001b[31mred\nb\u202e' }), 'quiet');
    expect(line).toBe('  WARNING    a\\u001b[31mred b\\u202e');
  });

  it('reports the end of a program and the next action in one line', () => {
    const data = { nextAction: 'It runs again with 4096 MiB.' };
    const ended = event('attempt_ended', { message: 'phenix.refine ran out of memory.', data });
    expect(formatEvent(ended, 'normal')).toEqual([
      '  ended      phenix.refine ran out of memory. It runs again with 4096 MiB.',
    ]);
  });

  it('marks simulated programs', () => {
    expect(formatEvent(event('attempt_started', { data: { provider: 'simulated' } }), 'normal')[0]).toContain(
      '[SIMULATED]',
    );
  });

  it('shows its data at level verbose, truncated', () => {
    const lines = formatEvent(event('debug', { data: { a: 1, long: 'x'.repeat(1000) } }), 'verbose');
    expect(lines[1]?.trim()).toBe('a: 1');
    expect(lines[2]?.length).toBeLessThan(450);
  });
});

describe('a trend', () => {
  const rFree = { better: 'lower', significant: 0.005 } as const;
  it.each([
    [0.3, 0.27, '↓', 'better'],
    [0.27, 0.3, '↑', 'worse'],
    [0.3, 0.297, '→', 'unchanged'],
    [0.3, 0.295, '↓', 'better'],
  ])('of R-free from %d to %d is %s %s', (from, to, arrow, direction) => {
    expect(metricTrend(from, to, rFree)).toMatchObject({ arrow, direction });
  });

  it('of a map correlation is better upwards', () => {
    expect(metricTrend(0.7, 0.75, { better: 'higher', significant: 0.01 })).toMatchObject({
      arrow: '↑',
      direction: 'better',
    });
  });

  it('is undefined if no direction is better', () => {
    expect(metricTrend(1, 2, { better: 'neither' })).toBeUndefined();
  });
});

describe('a rating of a value', () => {
  const bands = [
    { at: 1.75, good: 0.2, acceptable: 0.25, poor: 0.3 },
    { at: 3.25, good: 0.28, acceptable: 0.33, poor: 0.38 },
  ];
  const rFree = { label: 'R-free', better: 'lower', decimals: 4, bands, why: 'a test' } as const;
  it.each([
    [0.2, 1.5, 'good'],
    [0.24, 1.5, 'acceptable'],
    [0.26, 1.5, 'needs improvement'],
    [0.26, 3.25, 'good'],
    [0.26, 2, 'acceptable'],
    [0.304, 2.99, 'acceptable'],
    [0.304, 2.4, 'needs improvement'],
    [0.3, undefined, 'acceptable'],
  ])('%d at %s Å is %s', (value, resolution, word) => {
    expect(qualityWord(value, rFree, resolution)).toBe(word);
  });
});

it.each([
  [400, '0.4 s'],
  [12_300, '12 s'],
  [185_000, '3 min 05 s'],
  [7_380_000, '2 h 03 min'],
])('a duration of %d ms is written %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

it('quotes what a shell would split or expand', () => {
  expect(commandText(['phenix.refine', '/a b.pdb', "it's", '$(x)', 'main.n=3'])).toBe(
    `phenix.refine '/a b.pdb' 'it'\\''s' '$(x)' main.n=3`,
  );
});

it('shows a cycle with its decision, command, launches and result', () => {
  const cycle = aCycle({
    cycle: 2,
    decision: aDecision({ reasoning: 'because' }),
    attempts: [anAttempt({ provider: 'simulated' })],
    result: aResult({ outcome: 'failed', summary: 'no luck', errorLines: ['Sorry: no'], metrics: { r_free: 0.25 } }),
  });
  const text = formatCycle(cycle, {}, { folder: '/work', now: 0 }).join('\n');
  expect(text).toMatch(/^── Cycle 2 ── phenix\.refine \[SIMULATED\]/);
  for (const part of [
    'because',
    '/data/model.pdb',
    'attempt 1, Servalcat',
    'FAILED     no luck',
    'r_free 0.25',
    'Sorry: no',
  ]) {
    expect(text).toContain(part);
  }
});

it('shows what happens after an attempt, and why the next one waits', () => {
  const ending = { ...anAttempt().ending!, message: 'it was evicted.', nextAction: 'It runs again.' };
  const { startedAt: since, ...launched } = anAttempt({ attempt: 2 });
  const waiting = { ...launched, since, reportedAt: since, queuedOnBackend: true, reason: 'no node has a GPU free' };
  const cycle: CycleRecord = { cycle: 2, decision: aDecision(), attempts: [anAttempt({ ending })], waiting };
  const text = formatCycle(cycle, {}, { folder: '/work', now: 0 }).join('\n');
  expect(text).toContain('it was evicted. (1.0 s)\n  next       It runs again.');
  expect(text).toContain('waiting    attempt 2, since 2026-11-21T08:00:00: no node has a GPU free');
});

it('keeps letters of any script in a line for the terminal', () => {
  expect(plainLine('größe 1 Å 結晶 👍 é')).toBe('größe 1 Å 結晶 👍 é');
});
