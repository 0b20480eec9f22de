import { defaultSettings, type ProgramCatalogue } from '@fleet/contracts/service';
import {
  directivesInForce,
  isEnded,
  type FileUse,
  type GuidedSession,
  type Session,
  type SessionFile,
} from '@fleet/contracts/sessions';
import { fileUses, namedBy, type SlotChoice } from '@fleet/files';
import type { ProgramKnowledge, RuleBook } from '@fleet/knowledge-model';
import { describeSession, type DescribedSession } from '@fleet/workflow';
import { slotChoices } from './select-files';

type Accountable = GuidedSession & Pick<Session, 'cycles' | 'status'>;

/** Every program of the knowledge as a PHENIX program: the possible uses of a file do not depend on installed programs. */
const everyProgram = ({ programs }: RuleBook): ProgramCatalogue => ({
  backend: 'local',
  probedAt: '',
  programs: [...new Set(Object.values(programs).map(({ name, runs_as }) => runs_as ?? name))].map((program) => ({
    program,
    provider: 'phenix',
    version: '',
    command: [program],
  })),
});

/** No program makes a sequence: without a submitted one, these never run. */
const needsSequence = ({ inputs }: ProgramKnowledge): boolean =>
  inputs.some(({ required, formats }) => required === true && formats.every((format) => format === 'sequence'));

/** The programs of an experiment that its files allow, in the order in which the steps of its workflow name them. */
const programsOf = ({ workflow: { steps }, files }: DescribedSession, ruleBook: RuleBook) => {
  const named = Object.values(steps).flatMap((step) => step.programs.map(({ program }) => program));
  const hasSequence = (files.byCategory.get('sequence') ?? []).length > 0;
  return [...new Set(named)]
    .flatMap((name) => ruleBook.programs[name] ?? [])
    .filter((program) => hasSequence || !needsSequence(program));
};

const choicesOf = (described: DescribedSession, ruleBook: RuleBook): readonly SlotChoice[] =>
  programsOf(described, ruleBook).flatMap((program) =>
    slotChoices({ program, files: described.files, facts: described.facts, strategy: {} }),
  );

/**
 * How a session uses each submitted file, or why it does not: by the programs that ran, and by what the programs of its experiment would
 * select.
 */
export const usesAsDescribed = (
  session: Accountable,
  described: DescribedSession,
  ruleBook: RuleBook,
): readonly FileUse[] => {
  const { files, experiment } = described;
  return fileUses({
    submitted: session.request.inputs,
    all: files.all,
    experiment,
    categories: ruleBook.fileCategories,
    byCategory: files.byCategory,
    ranked: files.ranked,
    choices: choicesOf(described, ruleBook),
    ownFreeSet: Object.values(ruleBook.programs)
      .filter(({ own_free_set, experiments }) => own_free_set !== undefined && experiments.includes(experiment))
      .map(({ name }) => name),
    isExcluded: namedBy(directivesInForce(session).file_preferences?.exclude ?? []),
    cycles: session.cycles,
    isEnded: isEnded(session.status),
  });
};

/**
 * The same for a session without a description: for programs that did not run only the submitted files are considered.
 * @throws Fault `session.experiment_contradiction` when settings and files contradict each other
 */
export const submittedUses = (session: Accountable, ruleBook: RuleBook): readonly FileUse[] => {
  const atStart = { session: { ...session, cycles: [] }, ruleBook, catalogue: everyProgram(ruleBook) };
  return usesAsDescribed(session, describeSession(atStart), ruleBook);
};

/**
 * The same for files before a submission, with the default settings.
 * @throws Fault `session.experiment_contradiction` if they belong to two experiments
 */
export const usesOfFiles = (inputs: readonly SessionFile[], ruleBook: RuleBook): readonly FileUse[] => {
  const words = { title: '', proposal: '', beamline: '', submitter: '', advice: '' };
  const request = { ...words, priority: 'standard', settings: defaultSettings, inputs } as const;
  return submittedUses({ status: 'running', cycles: [], request }, ruleBook);
};
