import { Fault, type InstalledProgram, type ProgramCatalogue } from '@fleet/contracts';
import { isoTime, type Clock, type ExecutionBackend, type SessionStore } from '@fleet/ports';

/** Milliseconds between two looks at what is installed. */
const probeIntervalMs = 600_000;

/** Milliseconds between two times at which the store is told again: an emptied store learns it soon. */
const publishIntervalMs = 10_000;

/** What a wanted program is here. */
export type Resolved =
  { readonly installed: InstalledProgram } | { readonly missing: string; readonly standIn?: InstalledProgram };

/** Knows which programs this executor can run, and tells the store, so that the engine leaves out the others. */
export class ProgramCatalogueService {
  private known: Promise<ProgramCatalogue> | undefined;
  private timers: readonly NodeJS.Timeout[] = [];

  constructor(
    private readonly backend: ExecutionBackend,
    private readonly store: SessionStore,
    private readonly clock: Clock,
    private readonly onError: (what: string, error: unknown) => void,
  ) {}

  /** Probes now and from then on; programs of other backends are not our business. */
  start(): void {
    this.refresh();
    this.timers = [
      setInterval(() => {
        this.refresh();
      }, probeIntervalMs).unref(),
      setInterval(() => {
        this.publishAgain().catch((error: unknown) => {
          this.onError('telling the store what is installed', error);
        });
      }, publishIntervalMs).unref(),
    ];
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  /** Tells the store what is known, without another probe. */
  async publishAgain(): Promise<void> {
    await this.store.publishPrograms(await this.catalogue());
  }

  /**
   * The program that a decision asks for. A stand-in counts only where the session's settings name it.
   * What is not known is looked for once more: it may have been installed since.
   */
  async resolve(program: string, simulated: readonly string[]): Promise<Resolved> {
    const resolved = choose(await this.catalogue(), program, simulated);
    if ('installed' in resolved) return resolved;
    this.refresh();
    return choose(await this.catalogue(), program, simulated);
  }

  /** @throws Fault `programs.not_probed` (transient) when the probe failed */
  private async catalogue(): Promise<ProgramCatalogue> {
    this.known ??= this.probe();
    try {
      return await this.known;
    } catch (cause) {
      this.known = undefined;
      throw new Fault('programs.not_probed', 'transient', 'what is installed here could not be found out', { cause });
    }
  }

  private refresh(): void {
    const before = this.known;
    const probing = this.probe();
    this.known = probing;
    probing.catch((error: unknown) => {
      // A probe that fails leaves what was known before.
      if (this.known === probing) this.known = before;
      this.onError('finding out what is installed', error);
    });
  }

  private async probe(): Promise<ProgramCatalogue> {
    const programs = await this.backend.probe();
    const catalogue = { backend: this.backend.name, probedAt: isoTime(this.clock), programs };
    await this.store.publishPrograms(catalogue);
    return catalogue;
  }
}

const choose = (catalogue: ProgramCatalogue, program: string, simulated: readonly string[]): Resolved => {
  const installed = catalogue.programs.find((entry) => entry.program === program);
  if (installed === undefined) return { missing: `${program} is not installed on this backend any more` };
  if (installed.provider !== 'simulated' || simulated.includes(program)) return { installed };
  return {
    missing: `${program} is not installed on this backend; there is a simulated stand-in, which the settings do not ask for`,
    standIn: installed,
  };
};
