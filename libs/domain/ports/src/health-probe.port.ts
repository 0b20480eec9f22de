/** A dependency that must work for a process to do its work. */
export interface HealthProbe {
  /** Key in the health report, for example `redis`. */
  readonly name: string;
  /** Never throws: a probe that fails is unhealthy, and `detail` gives the reason. */
  check(): Promise<HealthReport>;
}

export interface HealthReport {
  readonly healthy: boolean;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}
