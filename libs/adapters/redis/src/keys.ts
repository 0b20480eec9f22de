/** Names of all keys beside the queues; all of them expire or can be rebuilt. */
export interface Keys {
  /** The findings of the executor, and the last requested trial (hash). */
  readonly doctor: { readonly look: string; readonly trial: string };
  /** Rate limit buckets: content and time of each (hash). Answers of the user office. */
  readonly access: {
    readonly rate: (bucket: string) => string;
    readonly members: (question: string) => string;
  };
  /** A browser login. */
  readonly login: (name: string) => string;
  /**
   * Of language models: failing targets (hashes). Of requests from processes without models: who offers models, when
   * each request may be taken (sorted set), requests, answers, and replies by request.
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
