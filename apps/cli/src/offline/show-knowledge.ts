import { allowedValues, isOwnParameter, type ProgramKnowledge, type RuleBook } from '@fleet/knowledge-model';
import { plainLine } from '@fleet/session-report';
import type { CommandContext } from '../command-context';
import { exitCodes, type ExitCode } from '../exit-codes';
import { tableLines } from '../output/table';
import { stepsOf } from './check-knowledge';
import { conditionText } from './condition-text';
import { openRuleBook, programNamed } from './open-knowledge';

const section = (title: string, rows: readonly (readonly string[])[]): readonly string[] =>
  rows.length === 0 ? [] : ['', title, ...tableLines(rows.map((row) => row.map((cell) => `  ${cell}`)))];

const inputRows = ({ inputs }: ProgramKnowledge): readonly (readonly string[])[] =>
  inputs.map(({ slot, flag, required, best, categories, exclude }) => [
    slot + (required === true ? ' (required)' : ''),
    flag === undefined ? 'positional' : `${flag}=`,
    [...(best === undefined ? [] : [`the best ${best}`]), ...categories].join(', '),
    exclude === undefined ? '' : `never ${exclude.join(', ')}`,
  ]);

const programLines = (program: ProgramKnowledge, ruleBook: RuleBook): readonly string[] => {
  const { name, group, experiments, done, resources } = program;
  return [
    `${name}: ${plainLine(program.purpose)}`,
    '',
    `  group      ${group}, for ${experiments.join(' and ')}`,
    `  offered    ${stepsOf(program, ruleBook).join('; ') || 'in no step of a workflow'}`,
    `  done       ${done.flag} (${done.strategy})`,
    `  resources  ${resources.class}, ${resources.cpus === 1 ? '1 CPU' : `${String(resources.cpus)} CPUs`}, ${String(resources.memoryMiB)} MiB, ${String(resources.wallClockMinutes)} min`,
    ...section('inputs', inputRows(program)),
    ...section(
      'requirements',
      program.requirements.map(({ when, why }) => [conditionText(when), why]),
    ),
    ...section(
      'always set',
      program.defaults.map(({ parameter, value, why }) => [`${parameter}=${String(value)}`, why]),
    ),
    ...section(
      'strategy',
      program.strategy.map((one) => [
        one.key,
        `${one.parameter}=`,
        isOwnParameter(one) ? 'named by the service' : allowedValues(one),
      ]),
    ),
    ...section(
      'outputs',
      program.outputs.map(({ pattern, what }) => [pattern, what]),
    ),
    ...section(
      'metrics',
      program.metrics.map(({ id, metric, metrics, take }) => [
        id,
        Object.keys(metrics ?? { [metric]: '' }).join(', '),
        take ?? 'last',
      ]),
    ),
  ];
};

/** `phx knowledge show`: all programs, or one with everything that is known about it. */
export const showKnowledge = (context: CommandContext, name: string | undefined): ExitCode => {
  const ruleBook = openRuleBook(context.terminal);
  if (name !== undefined) {
    const program = programNamed(ruleBook, name);
    context.print(program, () => programLines(program, ruleBook));
    return exitCodes.ok;
  }
  const programs = Object.values(ruleBook.programs);
  context.print({ programs }, () =>
    tableLines([
      ['PROGRAM', 'GROUP', 'FOR', 'PURPOSE'],
      ...programs.map((program) => [program.name, program.group, program.experiments.join(', '), program.purpose]),
    ]),
  );
  return exitCodes.ok;
};
