import type { Guidance, SessionDirectives } from '@fleet/contracts/guidance';
import type { InstalledProgram, ProgramCatalogue, ProgramProvider, SessionSettings } from '@fleet/contracts/service';
import {
  shortName,
  type DecisionRecord,
  type Metric,
  type RequestedLigand,
  type Session,
  type SessionEvent,
  type SessionFile,
  type SessionSteering,
  type SessionStop,
} from '@fleet/contracts/sessions';
import type { DecisionGraph } from '@fleet/decision-graph';
import type { RuleBook } from '@fleet/knowledge-model';
import { shouldStopAfter } from '@fleet/workflow';
import { aCycle, aFile, anAttempt, aRequest, aResult, aSession, someSettings } from './builders';

/** The time of walks. */
export const AT = '2026-11-21T08:00:00.000Z';

/** The result of a program run in a walk. */
export interface FakeRun {
  readonly metrics?: Readonly<Record<string, Metric['value']>>;
  /** Outputs; the walk sets cycle and program. */
  readonly outputs?: readonly SessionFile[];
  /** The program fails with this sentence. */
  readonly fails?: string;
  /** Lines of its log that state the error; by default the sentence itself. */
  readonly errorLines?: readonly string[];
  /** The program is lost with its machine. */
  readonly lost?: true;
}

/** A run that depends on the decision. */
export type PlannedRun = (decision: DecisionRecord, cycle: number) => FakeRun;

/** Runs by program, in order; the last one repeats. A program without an entry succeeds without metrics. */
export type FakeRuns = Readonly<Record<string, readonly FakeRun[] | PlannedRun>>;

export interface Walk {
  /** Names without `phenix.`, then STOP. */
  readonly programs: readonly string[];
  readonly stop: SessionStop;
  readonly session: Session;
  /** Of its decisions. */
  readonly events: readonly SessionEvent[];
}

/** The programs of the open kit, all installed; `without` leaves some out. */
export const aCatalogue = (
  changes: {
    readonly without?: readonly string[];
    readonly provider?: ProgramProvider;
    readonly only?: readonly string[];
    /** Installed as simulated programs. */
    readonly simulated?: readonly string[];
    readonly withheld?: ProgramCatalogue['withheld'];
  } = {},
): ProgramCatalogue => {
  const all =
    'xtriage model_vs_data phaser process_predicted_model refine elbow ligandfit pdbtools polder molprobity mtriage dock_in_map ' +
    'real_space_refine map_correlations validation_cryoem map_symmetry map_sharpening autobuild_denmod';
  const names = (changes.only ?? all.split(' ')).filter((name) => !(changes.without ?? []).includes(name));
  const installed =
    (provider: ProgramProvider) =>
    (name: string): InstalledProgram => ({
      program: `phenix.${name}`,
      provider,
      version: '1.0',
      command: [`/kit/phenix.${name}`],
    });
  return {
    backend: 'local',
    probedAt: AT,
    programs: [
      ...names.map(installed(changes.provider ?? 'open-phenix')),
      ...(changes.simulated ?? []).map(installed('simulated')),
    ],
    ...(changes.withheld !== undefined && { withheld: changes.withheld }),
  };
};

const runOf = (runs: FakeRuns, decision: DecisionRecord, cycle: number, count: number): FakeRun => {
  const planned = runs[shortName(decision.program)];
  if (planned === undefined) return {};
  return typeof planned === 'function'
    ? planned(decision, cycle)
    : (planned[Math.min(count, planned.length - 1)] ?? {});
};

const execute = (session: Session, decision: DecisionRecord, run: FakeRun): Session => {
  const { cycle } = session;
  const ending = anAttempt().ending!;
  const attempt =
    run.lost === true ? anAttempt({ ending: { ...ending, kind: 'lost', infrastructure: true } }) : anAttempt();
  const failed = run.fails !== undefined || run.lost === true;
  const outputs = failed ? [] : (run.outputs ?? []).map((file) => ({ ...file, cycle, program: decision.program }));
  const result = aResult({
    outcome: failed ? 'failed' : 'success',
    summary: run.fails ?? 'it worked',
    metrics: run.metrics ?? {},
    outputs,
    errorLines: run.errorLines ?? (run.fails === undefined ? [] : [run.fails]),
  });
  return {
    ...session,
    cycle: cycle + 1,
    cycles: [...session.cycles, aCycle({ cycle, decision, attempts: [attempt], result })],
  };
};

/** Every program of the rule book, as in a licensed PHENIX. */
export const aFullCatalogue = (ruleBook: RuleBook): ProgramCatalogue =>
  aCatalogue({ provider: 'phenix', only: Object.keys(ruleBook.programs).map((name) => name.replace('phenix.', '')) });

/** Options of a walk in addition to its files and runs. */
export interface WalkOptions {
  readonly settings?: Partial<SessionSettings>;
  readonly directives?: SessionDirectives;
  readonly steering?: SessionSteering;
  readonly title?: string;
  readonly advice?: string;
  readonly ligands?: readonly RequestedLigand[];
  /** The guidance as read by the gateway. */
  readonly guidance?: Guidance;
  readonly catalogue?: ProgramCatalogue;
  /** Continues from these cycles, like a resumed session. */
  readonly from?: Session['cycles'];
}

const sessionOf = (inputs: readonly SessionFile[], options: WalkOptions): Session => {
  const { settings, title, advice = '', ligands, directives, steering, guidance, from: cycles = [] } = options;
  const request = aRequest({
    inputs,
    settings: someSettings(settings),
    advice,
    ...(title === undefined ? {} : { title }),
    ...(ligands === undefined ? {} : { ligands }),
    ...(directives === undefined ? {} : { directives }),
    ...(steering === undefined ? {} : { steering }),
  });
  const guided = guidance === undefined ? {} : { guidance };
  return aSession({ request, cycles, cycle: (cycles.at(-1)?.cycle ?? 0) + 1, ...guided });
};

/** Runs a session from its files to STOP with fake runs; `programs` are those of this walk. */
export const walkSession = async (
  options: WalkOptions & {
    readonly graph: DecisionGraph;
    readonly ruleBook: RuleBook;
    readonly inputs: readonly SessionFile[];
    readonly runs?: FakeRuns;
  },
): Promise<Walk> => {
  const catalogue = options.catalogue ?? aCatalogue();
  let session = sessionOf(options.inputs, options);
  const programs: string[] = [];
  const events: SessionEvent[] = [];
  while (programs.length < 200) {
    const outcome = await options.graph.decide({ session, catalogue, now: AT });
    events.push(...outcome.events);
    if ('stop' in outcome) return { programs: [...programs, 'STOP'], stop: outcome.stop, session, events };
    const decision = { ...outcome.decision, decidedAt: AT };
    const count = session.cycles.filter((cycle) => cycle.decision.program === decision.program).length;
    session = execute(session, decision, runOf(options.runs ?? {}, decision, session.cycle, count));
    programs.push(shortName(decision.program));
    const stop = shouldStopAfter({ session, ruleBook: options.ruleBook, catalogue });
    if (stop !== undefined) return { programs: [...programs, 'STOP'], stop, session, events };
  }
  throw new Error(`The session does not end: ${programs.join(', ')}`);
};

const cell = [78.7, 40.4, 56.1, 90, 90, 90] as const;

/** Reflection data with one merged array and R-free flags by default. */
export const dataFile = (
  changes: Partial<NonNullable<SessionFile['facts']['mtz']>> = {},
  path = '/data/data.mtz',
): SessionFile =>
  aFile({
    path,
    facts: {
      format: 'mtz',
      cell,
      spaceGroup: 'P 21 21 21',
      mtz: {
        reflections: 20_000,
        highResolution: 1.8,
        lowResolution: 30,
        columns: [],
        observations: [{ labels: 'FP,SIGFP', kind: 'amplitude', anomalous: false }],
        freeFlag: 'FREE',
        mapCoefficients: [],
        phases: [],
        ...changes,
      },
    },
  });

/** The same without R-free flags. */
export const unflaggedFile = (...made: Parameters<typeof dataFile>): SessionFile => {
  const file = dataFile(...made);
  const { freeFlag: _flag, ...mtz } = file.facts.mtz!;
  return { ...file, facts: { ...file.facts, mtz } };
};

/** A protein model of 96 residues in the cell of the data. */
export const modelFile = (
  path = '/data/model.pdb',
  changes: Partial<NonNullable<SessionFile['facts']['model']>> = {},
): SessionFile =>
  aFile({
    path,
    facts: {
      format: 'pdb',
      cell,
      model: {
        atoms: 750,
        chains: ['A'],
        polymerResidues: 96,
        waters: 0,
        ligandCodes: [],
        predicted: false,
        meanB: 20,
        ...changes,
      },
    },
  });

export const dictionaryFile = (code: string): SessionFile =>
  aFile({ path: `/data/${code}.cif`, facts: { format: 'restraints', restraints: { codes: [code] } } });

export const mapFile = (path: string): SessionFile =>
  aFile({ path, facts: { format: 'map', cell, map: { grid: [64, 64, 64], mode: 2, voxel: 0.875 } } });

export const sequenceFile = (residues = 96): SessionFile =>
  aFile({ path: '/data/seq.fasta', facts: { format: 'sequence', sequence: { chains: 1, residues } } });

/** The kind of a refinement, and whether its model contains the ligand of the walk. */
const refinementOf = ({ strategy, inputs }: DecisionRecord) => {
  const prefix = String(strategy.output_prefix);
  const hasLigand = inputs.some(({ slot, path }) => slot === 'model' && /with_ligand|_L_/.test(path));
  return {
    name: `${prefix}${hasLigand ? '_L_' : ''}`,
    run: Number(/\d+$/.exec(prefix)?.[0] ?? 1) - 1,
    prefix,
    codes: hasLigand ? { ligandCodes: ['NUT'] } : {},
  };
};

/** Results of refinements in a map with these correlations. */
export const mapRefinements =
  (...mapCc: readonly number[]): PlannedRun =>
  (decision, cycle) => {
    const { name, run, codes } = refinementOf(decision);
    return {
      metrics: { map_cc: mapCc[Math.min(run, mapCc.length - 1)] ?? 0 },
      outputs: [modelFile(`/work/c${cycle}/${name}_real_space_refined_000.pdb`, codes)],
    };
  };

/** Results of refinements with these R-free values: model, map coefficients and data with flags. */
export const refinements =
  (...rFree: readonly number[]): PlannedRun =>
  (decision, cycle) => {
    const { name, prefix, run, codes } = refinementOf(decision);
    const value = rFree[Math.min(run, rFree.length - 1)] ?? 0.5;
    const folder = `/work/c${cycle}`;
    return {
      metrics: { r_free: value, r_work: value - 0.03 },
      outputs: [
        modelFile(`${folder}/${name}_001.pdb`, codes),
        dataFile({ observations: [], mapCoefficients: ['2FOFCWT,PH2FOFCWT'] }, `${folder}/${prefix}_001.mtz`),
        dataFile({}, `${folder}/${prefix}_data.mtz`),
      ],
    };
  };

/** The same runs, with each of their files changed. */
export const withOutputs =
  (planned: PlannedRun, change: (file: SessionFile) => SessionFile): PlannedRun =>
  (decision, cycle) => {
    const run = planned(decision, cycle);
    return { ...run, outputs: (run.outputs ?? []).map(change) };
  };

/** Default results of each program: a placed model that refines to an R-free of 0.25. */
export const usualRuns = {
  xtriage: [{ metrics: { resolution: 2.1 } }],
  model_vs_data: [{ metrics: { r_work: 0.29, r_free: 0.3 } }],
  phaser: [{ outputs: [modelFile('/work/p/PHASER.1.pdb')] }],
  autosol: [{ outputs: [modelFile('/work/s/overall_best.pdb')] }],
  autobuild: [{ metrics: { r_free: 0.3 }, outputs: [modelFile('/work/a/overall_best.pdb')] }],
  refine: refinements(0.25),
  mtriage: [{ metrics: { resolution: 3.2 } }],
} satisfies FakeRuns;

/** A placed model before refinement. */
export const unrefined = [{ metrics: { r_work: 0.43, r_free: 0.47 } }];
