/** What a secret looks like wherever it stands: keys of the API, tokens, logins in addresses. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/\bphx_[a-z0-9]{16}_[\w-]{20,}/g, '[key removed]'],
  [/\bBearer\s+[\w.~+/=-]+/gi, 'Bearer [token removed]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[token removed]'],
  [/(?<=\w:\/\/)[^\s/@]+@/g, '[login removed]@'],
  [/\b((?:api[_-]?key|password|passwd|secret|token)["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi, '$1[removed]'],
];

/** Members that hold a secret, whatever it looks like. */
const secretMember = /^(?:secret|password|passwd|token|apiKey|api_key|authorization|cookie|key)$/i;

/** A text without what could be a secret. */
export const redactedText = (text: string): string =>
  secrets.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);

/** A value without what could be a secret, in its texts and by the names of its members. */
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
