import type { InstalledProgram } from '@fleet/contracts/service';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import type { WorkflowInput } from '../workflow-input';

/** The command that must be installed. It may differ from the program name (autobuild_denmod runs phenix.autobuild). */
export const commandOf = (program: ProgramKnowledge): string => program.runs_as ?? program.name;

/** The installed program of this name; a simulated one only if the settings name it. */
export const installedOf = (name: string, { catalogue, session }: WorkflowInput): InstalledProgram | undefined =>
  catalogue.programs.find(
    ({ program, provider }) =>
      program === name && (provider !== 'simulated' || session.request.settings.simulated_programs.includes(name)),
  );
