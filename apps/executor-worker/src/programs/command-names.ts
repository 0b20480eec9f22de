import type { RuleBook } from '@fleet/knowledge-model';

/** Command names of the knowledge's programs, each once: what a backend is probed for. */
export const commandNames = ({ programs }: Pick<RuleBook, 'programs'>): readonly string[] => [
  ...new Set(Object.values(programs).map(({ name, runs_as }) => runs_as ?? name)),
];
