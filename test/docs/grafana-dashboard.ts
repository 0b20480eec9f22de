/** What our tests read of a dashboard for Grafana. */
export interface GrafanaDashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly description?: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    /** `expr` is for Prometheus, `rawSql` for PostgreSQL. */
    readonly targets?: readonly { readonly expr?: string; readonly rawSql?: string }[];
  }[];
}

/** A query with all that can be chosen there, as Prometheus is asked. */
export const withAllChosen = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(?:namespace|component|pod)/g, '.*');

/** Every query of a dashboard for Prometheus, in the order of its panels. */
export const queriesOf = ({ panels }: GrafanaDashboard): readonly string[] =>
  panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => expr ?? []));
