/**
 * Patterns of secrets in any text: private keys, keys, tokens, logins in URLs, and values of names like REDIS_PASSWORD,
 * also in JSON within JSON. No pattern reads a character more than a few times, however long a line is.
 */
const secrets: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,60}-----|$)/g,
    '[private key removed]',
  ],
  [/phx_[a-z0-9]{16}_[\w-]{20,}/g, '[key removed]'],
  [/(?<=^|[^A-Za-z]|\\[nrt])sk-[\w-]{16,}/g, '[key removed]'],
  [/Bearer\s+[\w.~+/=-]+/gi, 'Bearer [token removed]'],
  [/(?<=^|[^\w-]|\\[nrt])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[token removed]'],
  [/(?<=\w:\/\/)[^\s/]+@/g, '[login removed]@'],
  [/((?:authorization|cookie)(?:\\*["'])?\s*[=:]\s*(?:\\*["'])?)(?!Bearer \[)[^\s"'\\][^\r\n"'\\]*/gi, '$1[removed]'],
  [
    /((?:(?:api|access|private)[_-]?key|password|passwd|secret|token)(?:\\*["'])?\s*[=:]\s*)(?:(\\*["'])(?:(?!\2)(?:\\.|[^\\\n]))+|[^\s"',;&\\]+)/gi,
    '$1$2[removed]',
  ],
];

/** Names of members with a secret value. */
const secretMember = /(?:^key|secret|password|passwd|token|(?:api|access|private)[_-]?key|authorization|cookie)$/i;

/** A text with its possible secrets removed. */
export const redactedText = (text: string): string =>
  secrets.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);

/** A value with its possible secrets removed, by its texts and by the names of its members. */
export const redacted = (value: unknown): unknown => {
  if (typeof value === 'string') return redactedText(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]): [string, unknown] => [
      redactedText(name),
      secretMember.test(name) && typeof inside === 'string' ? '[removed]' : redacted(inside),
    ]),
  );
};
