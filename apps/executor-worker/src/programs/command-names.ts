import type { RuleBook } from '@fleet/knowledge-model';

/** Names under which the knowledge's programs are started, each once: what a backend is probed for. */
export const commandNames = ({ programs }: Pick<RuleBook, 'programs'>): readonly string[] => [
  ...new Set(Object.values(programs).map(({ name, runs_as }) => runs_as ?? name)),
];
