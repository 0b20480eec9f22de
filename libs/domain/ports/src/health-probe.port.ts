/** One thing that has to work for a process to do its work. */
export interface HealthProbe {
  /** Key in the health report, for example `redis`. */
  readonly name: string;
  /** Never throws: what cannot be asked is not healthy, and `detail` says why. */
  check(): Promise<HealthReport>;
}

export interface HealthReport {
  readonly healthy: boolean;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}
