import type { SessionFilter } from '@fleet/ports';

/** Names of all keys of the session store. */
export interface Keys {
  readonly session: (id: string) => string;
  readonly transitions: (id: string) => string;
  readonly events: (id: string) => string;
  /** Channel on which a new event of a session is announced. */
  readonly news: (id: string) => string;
  readonly outbox: string;
  readonly due: string;
  readonly programs: (backend: string) => string;
  /** Sorted set of the listed names (see `listedName`) that match a filter. Every session is in one index per combination of filters, so that a list is one range read. */
  readonly index: (filter: SessionFilter) => string;
}

export const keysOf = (prefix: string): Keys => ({
  session: (id) => `${prefix}:s:${id}`,
  transitions: (id) => `${prefix}:t:${id}`,
  events: (id) => `${prefix}:e:${id}`,
  news: (id) => `${prefix}:n:${id}`,
  outbox: `${prefix}:outbox`,
  due: `${prefix}:due`,
  programs: (backend) => `${prefix}:programs:${backend}`,
  index: ({ status, proposal, beamline }) => `${prefix}:i:${status ?? '*'}:${part(proposal)}:${part(beamline)}`,
});

/** A star is no value: encodeURIComponent leaves `*` as it is, so a proposal that is called so is escaped by hand. */
const part = (value: string | undefined): string =>
  value === undefined ? '*' : encodeURIComponent(value).replace(/\*/g, '%2A');
