import { metricValue, type Session } from '@fleet/contracts/sessions';
import type { Standalone } from './standalone';

/** The record of an ended session, as `phx show --json` prints it. */
export const outcomeOf = async (standalone: Standalone, id: string): Promise<Session> => {
  const { code, stdout, stderr } = await standalone.phx('show', id, '--json');
  if (code !== 0) throw new Error(`show ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Session;
};

export const programsOf = (session: Session): string[] => session.cycles.map((cycle) => cycle.decision.program);

/** Values of a metric, one for each cycle of this program that printed it. */
export const seriesOf = (session: Session, program: string, metric: string): number[] =>
  session.cycles
    .filter((cycle) => cycle.decision.program === program)
    .map((cycle) => metricValue(cycle.result, metric))
    .filter((value) => value !== undefined);

/** Values of a metric that is a word, one for each cycle of this program that printed it. */
export const wordsOf = (session: Session, program: string, metric: string): string[] =>
  session.cycles
    .filter((cycle) => cycle.decision.program === program)
    .flatMap((cycle) => cycle.result?.metrics ?? [])
    .filter(({ name }) => name === metric)
    .map(({ value }) => String(value));

/** The command of a program's first run. */
export const argvOf = (session: Session, program: string): readonly string[] =>
  session.cycles.find((cycle) => cycle.decision.program === program)?.decision.argv ?? [];

/** Programs that a stand-in played, in the order in which they ran. */
export const simulatedPrograms = (session: Session): string[] =>
  session.cycles
    .filter((cycle) => cycle.attempts.some(({ provider }) => provider === 'simulated'))
    .map((cycle) => cycle.decision.program);

export const isSimulated = (session: Session): boolean => simulatedPrograms(session).length > 0;

/** All that must be equal between two runs of the same data: programs, their order, and the ending. */
export const shapeOf = (session: Session): unknown => ({
  status: session.status,
  reason: session.stop?.reason,
  cycles: session.cycles.map((cycle) => ({
    cycle: cycle.cycle,
    program: cycle.decision.program,
    outcome: cycle.result?.outcome,
  })),
});
