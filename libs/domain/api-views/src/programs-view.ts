import type { BackendName, ProgramCatalogue, ProgramsView, ProgramView } from '@fleet/contracts/service';

/**
 * Programs that the backend can run, and the others that the agent knows.
 * @param known programs of the knowledge
 */
export const toProgramsView = (
  backend: BackendName,
  catalogue: ProgramCatalogue | undefined,
  known: readonly string[],
): ProgramsView => {
  const installed = new Map(catalogue?.programs.map((entry) => [entry.program, entry]));
  const withheld = new Map(catalogue?.withheld?.map(({ program, why }) => [program, why]));
  const names = [...new Set([...known, ...installed.keys()])].sort();
  const programs = names.map((program): ProgramView => {
    const entry = installed.get(program);
    const why = withheld.get(program);
    if (entry === undefined) return { program, installed: false, ...(why !== undefined && { withheld: why }) };
    return { program, installed: true, provider: entry.provider, version: entry.version };
  });
  return { backend, ...(catalogue !== undefined && { probedAt: catalogue.probedAt }), programs };
};
