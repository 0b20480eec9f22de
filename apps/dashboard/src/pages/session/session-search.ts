export const sessionViews = ['cycles', '3d', 'validation', 'assessment', 'log', 'files', 'trace'] as const;

/** URL parameters of a session's page. */
export interface SessionSearch {
  readonly view?: (typeof sessionViews)[number];
  /** The cycle of the log; absent: the last one. */
  readonly cycle?: string;
  readonly attempt?: string;
  /** The line of the log, from 1; absent: its end. */
  readonly line?: string;
  /** Initial 3D position: x, y and z in Å, comma-separated. */
  readonly at?: string;
  /** An operation of the trace: `2.1`, `a1`. */
  readonly op?: string;
  /** The operation whose time span the axis shows; absent: the whole session. */
  readonly zoom?: string;
}

const isNumber = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d{0,5}$/.test(value);
const isLine = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value);
const isPoint = (value: unknown): value is string =>
  typeof value === 'string' && /^-?\d{1,4}(\.\d{1,3})?(,-?\d{1,4}(\.\d{1,3})?){2}$/.test(value);
const isPath = (value: unknown): value is string =>
  typeof value === 'string' && /^a?[1-9]\d{0,5}(\.[1-9]\d{0,3}){0,2}$/.test(value);

export const readSessionSearch = (raw: Readonly<Record<string, unknown>>): SessionSearch => {
  const view = sessionViews.find((known) => known === raw.view);
  return {
    ...(view !== undefined && { view }),
    ...(isNumber(raw.cycle) && { cycle: raw.cycle }),
    ...(isNumber(raw.attempt) && { attempt: raw.attempt }),
    ...(isLine(raw.line) && { line: raw.line }),
    ...(isPoint(raw.at) && { at: raw.at }),
    ...(isPath(raw.op) && { op: raw.op }),
    ...(isPath(raw.zoom) && { zoom: raw.zoom }),
  };
};
