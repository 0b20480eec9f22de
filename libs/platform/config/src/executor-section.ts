import { availableParallelism } from 'node:os';
import { ChoiceVariable, FolderVariable, IntegerVariable, NumberVariable } from './variable.decorator';

const GIB = 1024 ** 3;

const predictionServices = ['off', 'local', 'vendor'] as const;
/** Where programs may predict structures from sequences. */
export type PredictionService = (typeof predictionServices)[number];

/** The programs of the executor worker, and their limits. */
export class ExecutorConfig {
  @FolderVariable('PHENIX_DIR', {
    what: 'folder of a licensed PHENIX installation; used before anything else',
    optional: true,
  })
  readonly phenixDir?: string;

  @FolderVariable('FLEET_OPEN_PHENIX_DIR', { what: 'folder of the installed open-phenix kit', optional: true })
  readonly openPhenixDir?: string;

  @ChoiceVariable('FLEET_PREDICTION', {
    what: 'where programs may have structures predicted from sequences: nowhere (off: programs that would send the sequence away do not run), by a service of the site that its PHENIX is set up for (local), or by that of PHENIX (vendor); docs/what-leaves-the-site.md. Read by the executor',
    default: 'off',
    choices: predictionServices,
  })
  readonly prediction: PredictionService;

  @IntegerVariable('FLEET_MAX_RUNNING', {
    what: 'programs that run at once on this machine; by default one per processor',
    default: String(availableParallelism()),
    min: 1,
    max: 1024,
  })
  readonly maxRunning: number;

  @IntegerVariable('FLEET_MAX_ATTEMPTS', {
    what: 'launches of one program before its loss by the machine ends the session',
    default: '3',
    min: 1,
    max: 20,
  })
  readonly maxAttempts: number;

  @IntegerVariable('FLEET_MAX_DISRUPTIONS', {
    what: 'times the cluster may disrupt one program (eviction, pre-emption, a drained node) before the session ends; not counted as launches',
    default: '10',
    min: 0,
    max: 1000,
  })
  readonly maxDisruptions: number;

  @NumberVariable('FLEET_MEMORY_FRACTION', {
    what: "part of the machine's memory that all programs together may take (fraction)",
    default: '0.8',
    min: 0.05,
    max: 1,
  })
  readonly memoryFraction: number;

  @IntegerVariable('FLEET_MAX_LOG_BYTES', {
    what: 'a program whose log grows beyond this many bytes is ended',
    default: String(GIB),
    min: 1024,
    max: 1024 * GIB,
  })
  readonly maxLogBytes: number;
}
