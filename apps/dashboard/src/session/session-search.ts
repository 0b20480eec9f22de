/** What a session's page shows beside its header, as its address says it. */
export interface SessionSearch {
  readonly view?: 'cycles' | 'log' | 'files' | '3d' | 'validation';
  /** Whose log is shown; absent: the last one's. */
  readonly cycle?: string;
  readonly attempt?: string;
  /** What 3D opens at: x, y and z in Å, with commas between them. */
  readonly at?: string;
}

const views = ['cycles', 'log', 'files', '3d', 'validation'] as const;
const isNumber = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d{0,5}$/.test(value);
const isPlace = (value: unknown): value is string =>
  typeof value === 'string' && /^-?\d{1,4}(\.\d{1,3})?(,-?\d{1,4}(\.\d{1,3})?){2}$/.test(value);

export const readSessionSearch = (raw: Readonly<Record<string, unknown>>): SessionSearch => {
  const view = views.find((known) => known === raw.view);
  return {
    ...(view !== undefined && { view }),
    ...(isNumber(raw.cycle) && { cycle: raw.cycle }),
    ...(isNumber(raw.attempt) && { attempt: raw.attempt }),
    ...(isPlace(raw.at) && { at: raw.at }),
  };
};
