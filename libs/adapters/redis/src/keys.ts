/** Names of all keys of what is kept beside the queues; all of it expires, or is made again. */
export interface Keys {
  /** What an executor has found at its site, and the last trial that was asked for (hash). */
  readonly doctor: { readonly look: string; readonly trial: string };
  /** Buckets of requests: what is left in each, and when that was (hash). What the user office has answered. */
  readonly access: {
    readonly rate: (bucket: string) => string;
    readonly members: (question: string) => string;
  };
  /** What is kept of the login of a browser. */
  readonly login: (name: string) => string;
  /**
   * Of language models: which targets are in trouble (hashes). Of questions from processes without models: whose models there are, when each
   * question may be taken (sorted set), what is asked and answered, and replies by what was asked.
   */
  readonly models: {
    readonly target: (id: string) => string;
    readonly providers: string;
    readonly dueInquiries: string;
    readonly inquiries: string;
    readonly reply: (provider: string, hash: string) => string;
  };
}

export const keysOf = (prefix: string): Keys => ({
  doctor: { look: `${prefix}:doctor:look`, trial: `${prefix}:doctor:trial` },
  login: (name) => `${prefix}:login:${name}`,
  models: {
    target: (id) => `${prefix}:models:target:${id}`,
    providers: `${prefix}:models:providers`,
    dueInquiries: `${prefix}:models:inquiries`,
    inquiries: `${prefix}:models:inquiry:`,
    reply: (provider, hash) => `${prefix}:models:reply:${encodeURIComponent(provider)}:${hash}`,
  },
  access: {
    members: (question) => `${prefix}:access:members:${encodeURIComponent(question)}`,
    rate: (bucket) => `${prefix}:access:rate:${encodeURIComponent(bucket)}`,
  },
});
