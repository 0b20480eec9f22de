import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@fleet/contracts/faults';
import type { InstalledProgram, ProgramCatalogue } from '@fleet/contracts/service';
import { Loop } from '@fleet/loop';
import { isoTime, type Clock, type ExecutionBackend, type ProgramCatalogues } from '@fleet/ports';

/** Milliseconds between two looks at what is installed. */
const probeIntervalMs = 600_000;

/** Milliseconds between two publications: an emptied store is filled again soon. */
const publishIntervalMs = 10_000;

/** Milliseconds for which a step waits for a probe: one of a cluster may have to wait for an image, and steps are few. */
const timeoutMs = 2_000;

/** What a wanted program is here. */
export type Resolved =
  { readonly installed: InstalledProgram } | { readonly missing: string; readonly standIn?: InstalledProgram };

/** Knows which programs this executor can run, and tells the store, so that the engine leaves out the others. */
export class ProgramCatalogueService {
  private known: ProgramCatalogue | undefined;
  private probing: Promise<ProgramCatalogue> | undefined;
  private readonly loops: readonly Loop[];

  constructor(
    private readonly backend: ExecutionBackend,
    private readonly catalogues: ProgramCatalogues,
    private readonly clock: Clock,
    onError: (what: string, error: unknown) => void,
    /** Programs that the site does not let run, with the reason; their simulated stand-ins may. */
    private readonly withheld: ReadonlyMap<string, string> = new Map(),
  ) {
    const loop = (what: string, everyMs: number, act: () => Promise<unknown>): Loop =>
      new Loop(act, everyMs, (error) => {
        onError(what, error);
      });
    this.loops = [
      loop('finding out what is installed', probeIntervalMs, () => this.probe()),
      loop('telling the store what is installed', publishIntervalMs, () => this.publishAgain()),
    ];
  }

  /** Probes now and from then on; programs of other backends are not our business. */
  start(): void {
    for (const loop of this.loops) loop.start();
  }

  /** A probe in progress may have to wait for a cluster: it is not waited for. */
  stop(): void {
    for (const loop of this.loops) void loop.stop();
  }

  /** Tells the store what is known, without another probe. */
  async publishAgain(): Promise<void> {
    if (this.known !== undefined) await this.catalogues.publish(this.known);
  }

  /**
   * The program that a decision asks for. A stand-in counts only where the session's settings name it.
   * What is not known is looked for once more: it may have been installed since.
   * @throws Fault `programs.not_probed` (transient) when the probe failed, or takes longer than a step may wait
   */
  async resolve(program: string, simulated: readonly string[]): Promise<Resolved> {
    const resolved = choose(this.known ?? (await this.probed()), program, simulated);
    return 'installed' in resolved ? resolved : choose(await this.probed(), program, simulated);
  }

  /** What a probe finds that is under way, or made now. */
  private async probed(): Promise<ProgramCatalogue> {
    try {
      const found = await Promise.race([this.probe(), sleep(timeoutMs, undefined, { ref: false })]);
      if (found !== undefined) return found;
    } catch (cause) {
      throw new Fault('programs.not_probed', 'transient', 'the installed programs could not be determined', { cause });
    }
    throw new Fault('programs.not_probed', 'transient', 'the installed programs are still being determined');
  }

  /** One probe at a time; one that fails leaves what was known before. */
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
