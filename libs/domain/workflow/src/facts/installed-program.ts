import type { InstalledProgram } from '@fleet/contracts/service';
import type { ProgramKnowledge } from '@fleet/knowledge-model';
import type { WorkflowInput } from '../workflow-input';

/** What must be installed: the name on the command line, which may differ (autobuild_denmod runs phenix.autobuild). */
export const commandOf = (program: ProgramKnowledge): string => program.runs_as ?? program.name;

/** The program that would run under this name; a simulated one only where the settings name it. */
export const installedOf = (name: string, { catalogue, session }: WorkflowInput): InstalledProgram | undefined =>
  catalogue.programs.find(
    ({ program, provider }) =>
      program === name && (provider !== 'simulated' || session.request.settings.simulated_programs.includes(name)),
  );
