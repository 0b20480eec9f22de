import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@fleet/contracts/faults';
import type { InstalledProgram, ProgramCatalogue } from '@fleet/contracts/service';
import { Loop } from '@fleet/loop';
import { isoTime, type Clock, type ExecutionBackend, type ProgramCatalogues } from '@fleet/ports';

/** Milliseconds between two probes. */
const probeIntervalMs = 600_000;

/** Milliseconds between two publications: an emptied store is filled again soon. */
const publishIntervalMs = 10_000;

/**
 * How long a step waits for a probe, in milliseconds: a probe of a cluster may have to pull an image, and only few
 * steps run at once.
 */
const timeoutMs = 2_000;

/** The local resolution of a requested program. */
export type Resolved =
  { readonly installed: InstalledProgram } | { readonly missing: string; readonly standIn?: InstalledProgram };

/**
 * Knows which programs this executor can run, and publishes them in the store, so that the engine leaves out the
 * others.
 */
export class ProgramCatalogueService {
  private known: ProgramCatalogue | undefined;
  private probing: Promise<ProgramCatalogue> | undefined;
  private readonly loops: readonly Loop[];

  constructor(
    private readonly backend: ExecutionBackend,
    private readonly catalogues: ProgramCatalogues,
    private readonly clock: Clock,
    onError: (what: string, error: unknown) => void,
    /** Programs that the site does not allow, with the reason; their simulated stand-ins may run. */
    private readonly withheld: ReadonlyMap<string, string> = new Map(),
  ) {
    const loop = (what: string, everyMs: number, act: () => Promise<unknown>): Loop =>
      new Loop(act, everyMs, (error) => onError(what, error));
    this.loops = [
      loop('determining the installed programs', probeIntervalMs, () => this.probe()),
      loop('publishing the installed programs', publishIntervalMs, () => this.publishAgain()),
    ];
  }

  /** Probes now and at intervals; programs of other backends are ignored. */
  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** Does not wait for a probe in progress, which may wait for a cluster. */
  stop(): void {
    for (const loop of this.loops) void loop.stop();
  }

  /** Publishes the known programs without another probe. */
  async publishAgain(): Promise<void> {
    if (this.known !== undefined) await this.catalogues.publish(this.known);
  }

  /**
   * The installed program for a decision. A stand-in counts only if the session's settings name it. An unknown program
   * causes another probe: it may have been installed since.
   * @throws Fault `programs.not_probed` (transient) if the probe failed, or takes longer than a step may wait
   */
  async resolve(program: string, simulated: readonly string[]): Promise<Resolved> {
    const resolved = choose(this.known ?? (await this.probed()), program, simulated);
    return 'installed' in resolved ? resolved : choose(await this.probed(), program, simulated);
  }

  /** The result of the probe in progress, or of a new one. */
  private async probed(): Promise<ProgramCatalogue> {
    try {
      const found = await Promise.race([this.probe(), sleep(timeoutMs, undefined, { ref: false })]);
      if (found !== undefined) return found;
    } catch (cause) {
      throw new Fault('programs.not_probed', 'transient', 'the installed programs could not be determined', { cause });
    }
    throw new Fault('programs.not_probed', 'transient', 'the installed programs are still being determined');
  }

  /** One probe at a time; a failure keeps the previous result. */
  private probe(): Promise<ProgramCatalogue> {
    this.probing ??= this.ask().finally(() => {
      this.probing = undefined;
    });
    return this.probing;
  }

  private async ask(): Promise<ProgramCatalogue> {
    const found = await this.backend.probe();
    const withheld = found.flatMap(({ program, provider }) => {
      const why = provider === 'simulated' ? undefined : this.withheld.get(program);
      return why === undefined ? [] : [{ program, why }];
    });
    const programs = found.filter(({ program }) => !withheld.some((one) => one.program === program));
    this.known = { backend: this.backend.name, probedAt: isoTime(this.clock), programs, withheld };
    await this.catalogues.publish(this.known);
    return this.known;
  }
}

const choose = (catalogue: ProgramCatalogue, program: string, simulated: readonly string[]): Resolved => {
  const installed = catalogue.programs.find((entry) => entry.program === program);
  const withheld = catalogue.withheld?.find((entry) => entry.program === program);
  if (withheld !== undefined) return { missing: `${program} may not run here: ${withheld.why}` };
  if (installed === undefined) return { missing: `${program} is no longer installed on this backend` };
  if (installed.provider !== 'simulated' || simulated.includes(program)) return { installed };
  return {
    missing: `${program} is not installed on this backend; there is a simulated stand-in, which the settings do not enable`,
    standIn: installed,
  };
};
