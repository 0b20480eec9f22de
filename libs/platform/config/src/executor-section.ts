import { availableParallelism } from 'node:os';
import { ChoiceVariable, FolderVariable, IntegerVariable, NumberVariable } from './variable.decorator';

const GIB = 1024 ** 3;

const predictionServices = ['off', 'local', 'vendor'] as const;
/** Where programs may predict structures from sequences. */
export type PredictionService = (typeof predictionServices)[number];

/** The programs of the executor worker, and their limits. */
export class ExecutorConfig {
  @FolderVariable('PHENIX_DIR', {
    what: 'folder of a licensed PHENIX installation; takes precedence over other programs',
    optional: true,
  })
  readonly phenixDir?: string;

  @FolderVariable('FLEET_OPEN_PHENIX_DIR', { what: 'folder of the installed open-phenix kit', optional: true })
  readonly openPhenixDir?: string;

  @ChoiceVariable('FLEET_PREDICTION', {
    what: 'service that predicts structures from sequences: none (off: programs that would send a sequence out do not run), a service of the site that its PHENIX is configured for (local), or that of PHENIX (vendor); see docs/what-leaves-the-site.md. Used by the executor',
    default: 'off',
    choices: predictionServices,
  })
  readonly prediction: PredictionService;

  @IntegerVariable('FLEET_MAX_RUNNING', {
    what: 'concurrent programs on this machine; default: one per CPU',
    default: String(availableParallelism()),
    min: 1,
    max: 1024,
  })
  readonly maxRunning: number;

  @IntegerVariable('FLEET_MAX_ATTEMPTS', {
    what: 'attempts of a program that are lost to infrastructure failures before the session ends',
    default: '3',
    min: 1,
    max: 20,
  })
  readonly maxAttempts: number;

  @IntegerVariable('FLEET_MAX_DISRUPTIONS', {
    what: 'disruptions of one program by the cluster (eviction, pre-emption, node drain) before the session ends; not counted as attempts',
    default: '10',
    min: 0,
    max: 1000,
  })
  readonly maxDisruptions: number;

  @NumberVariable('FLEET_MEMORY_FRACTION', {
    what: "fraction of the machine's memory for all programs together",
    default: '0.8',
    min: 0.05,
    max: 1,
  })
  readonly memoryFraction: number;

  @IntegerVariable('FLEET_MAX_LOG_BYTES', {
    what: 'maximum log size of a program in bytes; a program that exceeds it is stopped',
    default: String(GIB),
    min: 1024,
    max: 1024 * GIB,
  })
  readonly maxLogBytes: number;
}
