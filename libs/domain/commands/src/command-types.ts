import type { ProgramSettings } from '@fleet/contracts/guidance';
import type { StrategyValue } from '@fleet/contracts/schema';
import type { SessionFile, StatedRecovery } from '@fleet/contracts/sessions';
import type { Facts, InputSlot, ProgramKnowledge } from '@fleet/knowledge-model';
import type { FilesView, HeldSetting, Recovery } from '@fleet/workflow';

/** What a command is built from. */
export interface CommandRequest {
  readonly program: ProgramKnowledge;
  readonly files: FilesView;
  readonly facts: Facts;
  /** Keys that the decision sets itself; automatic values fill the rest. */
  readonly strategy: Readonly<Record<string, StrategyValue>>;
  /** The submitter's settings (directives), for this program and for all. */
  readonly settings?: ProgramSettings;
  /** What conditions of the submitter set now, before the settings. */
  readonly held?: readonly HeldSetting[];
  /** Earlier tries of this program, in this decision or failed; from 1 on the decision's own values beat the submitter's (phenix-agent.md#directives). */
  readonly attempt?: number;
  /** What earlier failures of the program taught. */
  readonly recovery?: Recovery;
  /** What others have found out about runs on certain files. */
  readonly stated?: readonly StatedRecovery[];
  /** Parameters that the program has refused elsewhere. */
  readonly refused?: readonly string[];
}

/** Who set a key: the submitter, the decision, an earlier failure, or a rule. */
export type KeySource = 'directive' | 'strategy' | 'recovery' | 'autofill';

/** One argument and where it comes from. */
export interface CommandToken {
  readonly token: string;
  readonly source: 'program' | 'slot' | 'default' | KeySource;
  /** The slot or key, and why. */
  readonly detail: string;
}

export interface SelectedFile {
  readonly slot: InputSlot;
  readonly file: SessionFile;
  /** For example `locked R-free flags` or `newest of refined`. */
  readonly why: string;
  /** The submitter prefers it (`file_preferences`). */
  readonly isWished?: true;
}

/** A value that gave way to another one of the same key. */
export interface OverruledValue {
  readonly key: string;
  readonly value: StrategyValue;
  readonly source: KeySource | 'default';
  readonly why: string;
}

/** A key that reached the command by somebody's wish, or in place of another value. */
export interface DecidedKey {
  readonly key: string;
  readonly value: StrategyValue;
  readonly source: KeySource;
  readonly why: string;
  readonly overruled: readonly OverruledValue[];
}

/** A strategy key that did not reach the command. */
export interface RejectedKey {
  readonly key: string;
  readonly why: string;
}

export interface BuiltCommand {
  readonly tokens: readonly CommandToken[];
  /** The tokens alone, the program's name first; never joined into a shell string. */
  readonly argv: readonly string[];
  readonly inputs: readonly SelectedFile[];
  /** All keys that reached the command, automatic ones included. */
  readonly strategy: Readonly<Record<string, StrategyValue>>;
  readonly rejected: readonly RejectedKey[];
  /** Keys that the submitter set, and keys for which one value went before another. */
  readonly decided: readonly DecidedKey[];
  /** What was changed of what was asked for, one sentence each. */
  readonly adjusted: readonly string[];
}

export type CommandResult =
  | { readonly built: true; readonly command: BuiltCommand }
  /** `why`: one sentence for the user. */
  | { readonly built: false; readonly why: string };
