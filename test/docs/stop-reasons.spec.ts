import { join } from 'node:path';
import { Fault } from '@fleet/contracts/faults';
import { statusOfStopReason, type SessionStop, type StopReason } from '@fleet/contracts/sessions';
import type { RuleBook, WorkflowKnowledge } from '@fleet/knowledge-model';
import { RemoveLastCycles, type SessionPorts } from '@fleet/sessions';
import { runStep } from '@fleet/steps';
import {
  aCycle,
  anAttempt,
  aNewSession,
  aSession,
  ManualClock,
  useStores,
  walkBench,
  walkedRows,
} from '@fleet/testing';
import { toCancelled, toEnded } from '../../apps/executor-worker/src/execute/attempt-transitions';
import { expectPage } from './generated-page';

const newStore = useStores();

const preamble = `# Why sessions end

Generated from \`knowledge/stops.yaml\`, the rules of \`knowledge/workflows/\` and sessions that end so, by \`test/docs/stop-reasons.spec.ts\`
(regenerate with \`FLEET_WRITE_DOCS=1\`).

For users: the word is \`stop.reason\` of a session, printed by \`phx list\` and \`phx show\`. The [outcome](outcomes.md) of the
session, with its exit code, follows from it and the record.
`;

interface Ended {
  readonly about: string;
  readonly experiment: string;
  readonly stop: SessionStop;
}

const at = '2026-11-21T08:00:00.000Z';

const stopOf = (to: { readonly ended: SessionStop } | object): SessionStop => {
  if ('ended' in to) return to.ended;
  throw new Error('The session has not ended');
};

/** The ends that no rule makes: those of the machine, of the service, of people. */
const otherEnds = async (): Promise<readonly Ended[]> => {
  const clock = new ManualClock();
  const store = newStore(clock);
  const running = aNewSession();
  await store.records.create(running, [], 1);
  const nothing = (): Promise<void> => Promise.resolve();
  const log = { error: () => undefined };
  const { records, schedule } = store;
  const ports = { records, schedule, waker: { wake: nothing }, clock, log };
  const fault = new Fault('session.damaged', 'bug', 'its record cannot be read');
  const damaged = { job: 'decide', work: () => Promise.reject(fault) } as const;
  for (let time = 0; time < 4; time += 1) {
    await expect(runStep(ports, damaged, { sessionId: running.id, sessionVersion: 1 })).rejects.toBe(fault);
    await store.schedule.postpone(running.id, 1, 1, true);
  }
  const cycle = aCycle();
  const lost = { ...anAttempt().ending!, kind: 'lost', infrastructure: true, message: 'its node is gone.' } as const;
  const session = aSession({ stage: 'executing', cycles: [cycle] });
  const ended = { attempt: anAttempt({ ending: lost }), ending: lost, startIsUnreported: false };
  const limits = { at, maxAttempts: 1, maxDisruptions: 1, largerMemory: () => undefined };
  const position = { status: 'completed', stage: 'deciding', cycle: 2, attempt: 1, cycles: [cycle] } as const;
  const stop = { reason: 'plateau', detail: 'x', afterCycle: 1 } as const;
  const done = aNewSession({ resume: { ...position, stop } });
  await store.records.create(done, [], 1);
  const removing = new RemoveLastCycles({
    records: store.records,
    clock,
    folder: { tryFolder: nothing },
    limits: { dueInMs: 1, maxFiles: 0, workRoot: '/' },
    waker: { wake: nothing },
  } as unknown as SessionPorts);
  const removed = await removing.run(done.id, { count: 1 });
  return [
    { about: 'a program is lost', stop: stopOf(toEnded(session, cycle, ended, limits).to) },
    { about: 'the service cannot take a step', stop: (await store.records.load(running.id))!.stop! },
    { about: 'a user cancels', stop: stopOf(toCancelled(session, cycle, at).to) },
    { about: 'cycles are taken out', stop: removed.stop! },
  ].map((one) => ({ ...one, experiment: '' }));
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '\\<');

const reasonRow = (reason: StopReason, { stopWords }: RuleBook): string => {
  const { means, tried, next } = stopWords[reason];
  return `| \`${reason}\` | ${statusOfStopReason[reason]} | ${[means, tried, next].map(cell).join(' | ')} |`;
};

const exampleLines = (reason: StopReason, ends: readonly Ended[]): readonly string[] => [
  `### ${reason}\n`,
  ...ends
    .filter(({ stop }) => stop.reason === reason)
    .map(({ about, experiment, stop }) => {
      const what = `${experiment === '' ? '' : `${experiment}, `}${about}`;
      return `- ${cell(what)}:\n  ${cell(stop.detail)}`;
    }),
  '',
];

const flagRows = ({ experiment, checks }: WorkflowKnowledge): readonly string[] =>
  checks
    .filter(({ level }) => level === 'critical')
    .map(({ message, suggestion }) => `| ${experiment} | ${cell(message)} | ${cell(suggestion)} |`);

/** A sentence of the knowledge as a pattern: what stands in braces may be anything. */
const patternOf = (template: string): RegExp =>
  new RegExp(
    template
      .split(/\{[^}]*\}/)
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
      .join('.+?'),
  );

/** Everything that a rule of the knowledge can say at an end. */
const sentencesOf = ({ workflows, stopWords }: RuleBook): readonly string[] => [
  ...Object.values(workflows).flatMap(({ stops, steps }) => [
    ...stops.flatMap(({ detail, notes = [] }) => [detail, ...notes.map(({ text }) => text)]),
    ...Object.values(steps).flatMap(({ blocked }) => (blocked === undefined ? [] : [blocked.detail])),
  ]),
  ...Object.values(stopWords).flatMap(({ said }) => said.map(({ text }) => text)),
];

/** Sentences that no example says, each with the spec that does or the reason why nothing can. */
const saidElsewhere: readonly (readonly [RegExp, string])[] = [
  [/^Nothing more can be done with/, 'the last rule: no session is known that no rule before it ends'],
  [/^Molecular replacement was tried/, 'of a search that another PHENIX has made; walks tell every way of theirs'],
  [/^The model is not placed/, 'the last way out of a search whose program has run; no session is known'],
  [/phenix\.ligandfit cannot run with the files at hand/, 'the last of four reasons; no session is known'],
];

describe('docs/stop-reasons.md', () => {
  const bench = walkBench({ installed: 'open' });
  const walked = walkedRows(join(__dirname, 'stop-sessions.yaml'));
  let ends: readonly Ended[];
  beforeAll(async () => {
    ends = [
      ...(await walked()).map(({ title, name, walk }) => ({ about: name, experiment: title, stop: walk.stop })),
      ...(await otherEnds()),
    ];
  });

  it('has an example of every reason', () => {
    const seen = new Set(ends.map(({ stop }) => stop.reason));
    expect(Object.keys(statusOfStopReason).filter((reason) => !seen.has(reason as StopReason))).toEqual([]);
  });

  it('has an example of every sentence of the knowledge', () => {
    const details = ends.map(({ stop }) => stop.detail);
    const unsaid = [...new Set(sentencesOf(bench.ruleBook))].filter(
      (text) =>
        !details.some((detail) => patternOf(text).test(detail)) &&
        !saidElsewhere.some(([pattern]) => pattern.test(text)),
    );
    expect(unsaid).toEqual([]);
  });

  it('contains no internal words', () => {
    for (const { stop } of ends) {
      expect(stop.detail).toMatch(/^[A-Z\d].*\.$|^phenix\..*\.$/s);
      expect(stop.detail).not.toMatch(/undefined|NaN|\{|\}|could not be made here|\.\.(?!\.)/);
    }
  });

  it('matches the knowledge and the sessions', async () => {
    const { ruleBook } = bench;
    const reasons = Object.keys(statusOfStopReason) as StopReason[];
    const text = [
      preamble,
      '| reason | status | what was found | what was tried | what to do next |\n| --- | --- | --- | --- | --- |',
      ...reasons.map((reason) => reasonRow(reason, ruleBook)),
      '\n## In the words of a session\n',
      'Each of these is the end of a session that a test walks: when, and what it says.\n',
      ...reasons.flatMap((reason) => exampleLines(reason, ends)),
      '\n## Red flags\n',
      'What ends a session with `red_flag`, unless `abort_on_red_flags` is off:\n',
      '| experiment | what was found | what to do next |\n| --- | --- | --- |',
      ...Object.values(ruleBook.workflows).flatMap(flagRows),
      '',
    ].join('\n');
    await expectPage('docs/stop-reasons.md', text);
  });
});
