import type { BackendName, ProgramProvider } from './cycle';

/** A program that a backend can run. */
export interface InstalledProgram {
  /** PHENIX's own name, for example `phenix.refine`. */
  readonly program: string;
  readonly provider: ProgramProvider;
  /** For example `PHENIX 2.0-5793` or `Servalcat 0.4.142`. */
  readonly version: string;
  /** What to execute: absolute path first, then fixed arguments (a stand-in takes the program's name). */
  readonly command: readonly string[];
  /** Which of the backend's installations it belongs to (an image or a software volume); absent where there is one only. */
  readonly source?: string;
}

/** What a backend published about its programs. */
export interface ProgramCatalogue {
  readonly backend: BackendName;
  readonly probedAt: string;
  readonly programs: readonly InstalledProgram[];
}
