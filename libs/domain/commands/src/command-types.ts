import type { ProgramSettings } from '@fleet/contracts/guidance';
import type { StrategyValue } from '@fleet/contracts/schema';
import type { SessionFile, StatedRecovery } from '@fleet/contracts/sessions';
import type { Facts, InputSlot, ProgramKnowledge } from '@fleet/knowledge-model';
import type { FilesView, HeldSetting, Recovery } from '@fleet/workflow';

/** The input for building a command. */
export interface CommandRequest {
  readonly program: ProgramKnowledge;
  readonly files: FilesView;
  readonly facts: Facts;
  /** Keys that the decision sets itself; automatic values fill the rest. */
  readonly strategy: Readonly<Record<string, StrategyValue>>;
  /** The submitter's settings (directives), for this program and for all. */
  readonly settings?: ProgramSettings;
  /** Values of the submitter's conditions, which take precedence over the settings. */
  readonly held?: readonly HeldSetting[];
  /**
   * Number of earlier attempts of this program, in this decision or failed; from 1 on the decision's own values override the submitter's
   * (phenix-agent.md#directives).
   */
  readonly attempt?: number;
  /** Corrections after earlier failures of the program. */
  readonly recovery?: Recovery;
  /** A client's findings about runs on certain files. */
  readonly stated?: readonly StatedRecovery[];
  /** Parameters that the program has refused elsewhere. */
  readonly refused?: readonly string[];
}

/** The source of a key: the submitter, the decision, an earlier failure, or a rule. */
export type KeySource = 'directive' | 'strategy' | 'recovery' | 'autofill';

/** One argument and its source. */
export interface CommandToken {
  readonly token: string;
  readonly source: 'program' | 'slot' | 'default' | KeySource;
  /** The slot or key, and the reason. */
  readonly detail: string;
}

export interface SelectedFile {
  readonly slot: InputSlot;
  readonly file: SessionFile;
  /** For example `locked R-free flags` or `newest of refined`. */
  readonly why: string;
  /** The submitter prefers it (`file_preferences`). */
  readonly isRequested?: true;
}

/** A value that was overridden by another one of the same key. */
export interface OverruledValue {
  readonly key: string;
  readonly value: StrategyValue;
  readonly source: KeySource | 'default';
  readonly why: string;
}

/** A key in the command that was requested, or that overrides another value. */
export interface DecidedKey {
  readonly key: string;
  readonly value: StrategyValue;
  readonly source: KeySource;
  readonly why: string;
  readonly overruled: readonly OverruledValue[];
}

/** A strategy key that is not in the command. */
export interface RejectedKey {
  readonly key: string;
  readonly why: string;
}

export interface BuiltCommand {
  readonly tokens: readonly CommandToken[];
  /** Only the tokens, the program's name first; never joined to a shell string. */
  readonly argv: readonly string[];
  readonly inputs: readonly SelectedFile[];
  /** All keys in the command, including automatic ones. */
  readonly strategy: Readonly<Record<string, StrategyValue>>;
  readonly rejected: readonly RejectedKey[];
  /** Keys that the submitter set, and keys whose value overrides another one. */
  readonly decided: readonly DecidedKey[];
  /** Changes to the requested values, one sentence each. */
  readonly adjusted: readonly string[];
}

export type CommandResult =
  | { readonly built: true; readonly command: BuiltCommand }
  /** `why`: one sentence for the user. */
  | { readonly built: false; readonly why: string };
