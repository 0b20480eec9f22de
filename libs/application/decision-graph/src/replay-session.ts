import type { Replay, ReplayedCycle, ReplayedStep } from '@fleet/contracts/results';
import { releaseVersion, type InstalledProgram, type ProgramCatalogue } from '@fleet/contracts/service';
import type { CycleRecord, DecisionRecord, Session, SessionStop, StopReason } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import { mayStop, STOP } from '@fleet/workflow';
import { buildBareGraph } from './build-graph';
import { chooseByRules } from './choose-by-rules';
import type { Chooser, DecisionOutcome, UndatedDecision } from './decision-types';
import { requestDigest } from './provenance';

/** Ends that no rule decides. */
const endedFromOutside: readonly StopReason[] = ['cancelled', 'cycles_removed', 'infrastructure', 'error'];

type Judgement = Omit<ReplayedCycle, 'cycle' | 'recorded' | 'provenance'>;

const undetermined = (reason: string): Judgement => ({ result: 'undetermined', reason });

const stepOf = ({ program, argv }: Pick<DecisionRecord, 'program' | 'argv'>): ReplayedStep => ({
  program,
  detail: argv.join(' '),
});

const endOf = ({ reason, detail }: SessionStop): ReplayedStep => ({ program: STOP, detail: `${reason}: ${detail}` });

/** Repeats the recorded choice of a language model if today's rules offer it; otherwise the rules choose. */
const recordedChoice =
  ({ program, reasoning, decidedBy, planning }: DecisionRecord): Chooser =>
  (context) => {
    const byRules = chooseByRules(context);
    const isRejected = context.rejections.some((one) => one.program === program);
    if (decidedBy !== 'model' || planning === undefined || isRejected) return byRules;
    return byRules && { program, reasoning, strategy: planning.strategy ?? {}, planning };
  };

/** Programs that were installed according to a decision without provenance. */
const namesIn = ({ program, validPrograms, notOffered }: DecisionRecord): readonly string[] => [
  program,
  ...validPrograms,
  ...notOffered.map((one) => one.program),
];

/**
 * The programs that could run at the time of a decision: those of its provenance, as the backend has or had them. Programs that the knowledge
 * did not know then, and the vendor of a program, are as today.
 */
const catalogueAt = (
  decision: DecisionRecord | undefined,
  catalogue: ProgramCatalogue,
  ruleBook: RuleBook,
): ProgramCatalogue => {
  if (decision?.provenance === undefined) return catalogue;
  const { unavailable = [] } = decision.provenance;
  const commandOf = (name: string): string => ruleBook.programs[name]?.runs_as ?? name;
  const absent = new Set(unavailable.map(commandOf));
  const today = new Set(catalogue.programs.map(({ program }) => program));
  const installedThen = [...new Set(namesIn(decision).map(commandOf))]
    .filter((program) => program !== STOP && !today.has(program) && !absent.has(program))
    .map((program): InstalledProgram => ({ program, provider: 'phenix', version: '', command: [] }));
  return {
    ...catalogue,
    programs: [...catalogue.programs.filter(({ program }) => !absent.has(program)), ...installedThen],
  };
};

/** The request at that time, by its digest; undefined if a later resume changed parts that the record does not keep. */
const requestAt = ({ request }: Session, digest: string | undefined): Session['request'] | undefined => {
  const { submittedAs } = request;
  if (digest === undefined) return submittedAs === undefined ? request : undefined;
  if (requestDigest({ request }) === digest) return request;
  if (submittedAs === undefined) return undefined;
  const inputs = request.inputs.filter(({ path }) => submittedAs.files.includes(path));
  const submitted = { ...request, settings: submittedAs.settings, inputs };
  return requestDigest({ request: submitted }) === digest ? submitted : undefined;
};

/** The state before a cycle, or why it cannot be restored. */
const stateBefore = (session: Session, { cycle, decision }: CycleRecord): Session | string => {
  const { forkedFrom } = session.request;
  if (forkedFrom !== undefined && cycle <= forkedFrom.afterCycle)
    return `The decision belongs to session ${forkedFrom.session}, from which this session was forked.`;
  const { guidance } = session;
  if (decision.guidance !== guidance?.revision)
    return `The decision followed revision ${String(decision.guidance ?? 0)} of the guidance; the record has revision ${String(guidance?.revision ?? 0)} only.`;
  const request = requestAt(session, decision.provenance?.request);
  if (request === undefined)
    return 'The session was resumed later with other settings or files, and the record does not have those of this decision.';
  const { stop: _stop, waiting: _waiting, ...rest } = session;
  const cycles = session.cycles.filter((one) => one.cycle < cycle);
  return { ...rest, status: 'running', stage: 'deciding', cycle, attempt: 1, request, cycles };
};

const sameTexts = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index]);

/** The difference between two commands of one program. */
const commandRule = (recorded: DecisionRecord, now: UndatedDecision): Pick<Judgement, 'rule' | 'reason'> => {
  const files = ({ inputs }: Pick<DecisionRecord, 'inputs'>) => inputs.map(({ slot, path }) => `${slot}=${path}`);
  const [before, after] = [files(recorded), files(now)];
  if (!sameTexts(before, after)) {
    const changed = [...after.filter((one) => !before.includes(one)), ...before.filter((one) => !after.includes(one))];
    const slot = (changed[0] ?? after[0] ?? '').split('=')[0] ?? '';
    return { rule: `${now.program} input ${slot}`, reason: `Other input files: ${changed.join(', ')}.` };
  }
  const keys = [...new Set([...Object.keys(now.strategy), ...Object.keys(recorded.strategy)])];
  const key = keys.find((one) => now.strategy[one] !== recorded.strategy[one]);
  if (key !== undefined) {
    const [from, to] = [recorded.strategy[key] ?? 'not set', now.strategy[key] ?? 'not set'].map(String);
    return { rule: `${now.program} parameter ${key}`, reason: `${key} was ${from} and would be ${to}.` };
  }
  return { rule: `${now.program} command`, reason: 'The same files and parameters are written in another way.' };
};

/** The workflow rule that leads to another program. */
const programRule = (recorded: DecisionRecord, now: UndatedDecision): Pick<Judgement, 'rule' | 'reason'> => {
  const rule = now.provenance?.rule ?? '';
  const refused = now.notOffered.find(({ program }) => program === recorded.program)?.why;
  const why =
    refused === undefined ? now.reasoning : `${recorded.program} is not offered: ${refused}. ${now.reasoning}`;
  const isSame = recorded.provenance === undefined ? recorded.step === now.step : recorded.provenance.rule === rule;
  return isSame
    ? { rule: `${now.experimentType} step ${now.step}`, reason: why }
    : { rule: `${now.experimentType} detection ${rule}`, reason: `Was step ${recorded.step}. ${why}` };
};

const judgeEnd = (stop: SessionStop, recorded: DecisionRecord): Judgement => ({
  result: 'differs',
  replayed: endOf(stop),
  rule: `${recorded.experimentType} stop ${stop.reason}`,
  reason: stop.detail,
});

/** The session would have ended before this cycle; undefined if it had ended, or would not have. */
const judgePastStop = (recorded: DecisionRecord, stop: SessionStop | undefined): Judgement | undefined => {
  if (stop === undefined || recorded.provenance?.pastStop === true) return undefined;
  return recorded.provenance === undefined
    ? undetermined(
        'A stop rule holds before this cycle. The record does not say whether the session was resumed after its end.',
      )
    : judgeEnd(stop, recorded);
};

const judgeDecision = (recorded: DecisionRecord, outcome: DecisionOutcome, session: Session): Judgement => {
  const pastStop = judgePastStop(recorded, outcome.pastStop);
  if (pastStop !== undefined) return pastStop;
  if (!('stop' in outcome) && sameTexts(recorded.argv, outcome.decision.argv))
    return { result: 'same', replayed: stepOf(outcome.decision) };
  // Choices of models that the rules refused are not recorded.
  if (recorded.decidedBy === 'fallback' && !session.request.settings.use_rules_only)
    return undetermined('Several choices were refused before this one. The record does not have them.');
  if ('stop' in outcome) return judgeEnd(outcome.stop, recorded);
  const now = outcome.decision;
  const found = now.program === recorded.program ? commandRule(recorded, now) : programRule(recorded, now);
  return { result: 'differs', replayed: stepOf(now), ...found };
};

/** Another end than the recorded one. */
const judgeOtherEnd = (stop: SessionStop, { assessment }: DecisionOutcome): Judgement => ({
  result: 'differs',
  replayed: endOf(stop),
  rule: `${assessment?.described.experiment ?? 'session'} stop ${stop.reason}`,
  reason: stop.detail,
});

const judgeStop = (recorded: SessionStop, outcome: DecisionOutcome, session: Session): Judgement => {
  const stop = outcome.pastStop ?? ('stop' in outcome ? outcome.stop : undefined);
  if (stop !== undefined)
    return stop.reason === recorded.reason ? { result: 'same', replayed: endOf(stop) } : judgeOtherEnd(stop, outcome);
  const { assessment, decision } = outcome as Extract<DecisionOutcome, { readonly decision: unknown }>;
  if (!session.request.settings.use_rules_only && assessment !== undefined && mayStop(assessment.menu))
    return undetermined('The end was among the choices of a language model, and the record does not say who chose it.');
  return {
    result: 'differs',
    replayed: stepOf(decision),
    rule: `${decision.experimentType} stop ${recorded.reason}`,
    reason: `The session would continue. ${decision.reasoning}`,
  };
};

/** @param catalogue programs of the backend today */
export type Replayer = (session: Session, catalogue: ProgramCatalogue) => Promise<Replay>;

/** A program of an earlier cycle that the knowledge does not know: the effect of its run is undetermined. */
const undescribed = ({ cycles }: Session, { programs }: RuleBook): string | undefined =>
  cycles.find(({ decision }) => programs[decision.program] === undefined)?.decision.program;

/** The session after its last cycle, before its end was decided. */
const stateAtEnd = ({ stop: _stop, waiting: _waiting, ...session }: Session): Session => ({
  ...session,
  status: 'running',
  stage: 'deciding',
  cycle: (session.cycles.at(-1)?.cycle ?? 0) + 1,
  attempt: 1,
});

/**
 * Repeats the decisions of sessions with the nodes and edges of the workers' decision graph: each from the recorded earlier cycles and
 * inputs. Calls no language model, reads no file and changes nothing. Not restored: the content of files, which is as inspected, the vendor
 * of a program, and, in records without a provenance, installed programs and files on disk.
 */
export const replayer = (ruleBook: RuleBook): Replayer => {
  const choosers = new WeakMap<Session, Chooser>();
  const graph = buildBareGraph({
    ruleBook,
    choose: (choosing) => (choosers.get(choosing.session) ?? chooseByRules)(choosing),
  });

  const replayCycle = async (
    session: Session,
    record: CycleRecord,
    catalogue: ProgramCatalogue,
  ): Promise<ReplayedCycle> => {
    const { cycle, decision } = record;
    const { provenance } = decision;
    const known = { cycle, recorded: stepOf(decision), ...(provenance !== undefined && { provenance }) };
    const state = stateBefore(session, record);
    if (typeof state === 'string') return { ...known, ...undetermined(state) };
    const program = undescribed(state, ruleBook);
    if (program !== undefined) return { ...known, ...undetermined(`The knowledge does not describe ${program}.`) };
    choosers.set(state, recordedChoice(decision));
    const outcome = await graph.decide({
      session: state,
      catalogue: catalogueAt(decision, catalogue, ruleBook),
      missing: new Set(provenance?.skippedFiles),
      now: decision.decidedAt,
    });
    return { ...known, ...judgeDecision(decision, outcome, session) };
  };

  const replayEnd = async (session: Session, catalogue: ProgramCatalogue): Promise<readonly ReplayedCycle[]> => {
    const { stop } = session;
    if (stop === undefined || endedFromOutside.includes(stop.reason)) return [];
    const state = stateAtEnd(session);
    const known = { cycle: state.cycle, recorded: endOf(stop) };
    const program = undescribed(state, ruleBook);
    if (program !== undefined) return [{ ...known, ...undetermined(`The knowledge does not describe ${program}.`) }];
    const last = session.cycles.at(-1)?.decision;
    const then = catalogueAt(last, catalogue, ruleBook);
    const outcome = await graph.decide({ session: state, catalogue: then, now: session.updatedAt });
    const judged = judgeStop(stop, outcome, session);
    return last === undefined && judged.result === 'differs'
      ? [{ ...known, ...undetermined('The session has no cycle, which would say which programs were available.') }]
      : [{ ...known, ...judged }];
  };

  return async (session, catalogue) => {
    const cycles: ReplayedCycle[] = [];
    for (const record of session.cycles) cycles.push(await replayCycle(session, record, catalogue));
    cycles.push(...(await replayEnd(session, catalogue)));
    const count = (result: ReplayedCycle['result']): number => cycles.filter((one) => one.result === result).length;
    return {
      id: session.id,
      release: releaseVersion,
      knowledge: ruleBook.digest,
      counts: { same: count('same'), differs: count('differs'), undetermined: count('undetermined') },
      cycles,
    };
  };
};
