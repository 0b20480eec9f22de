/** The end of a private key on several lines. */
const endOfKey = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const beginOfKey = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/**
 * Removes from the end of a log what truncation has made unrecognisable: the rest of a line whose beginning would have
 * revealed a secret, and the rest of a key.
 * @param isCut text before it was removed
 */
export const logTail = (text: string, isCut: boolean): string => {
  if (!isCut) return text;
  const lines = text.slice(text.includes('\n') ? text.indexOf('\n') + 1 : text.length);
  const end = endOfKey.exec(lines);
  const isOfKey = end !== null && lines.slice(0, end.index).search(beginOfKey) < 0;
  return `[earlier lines are not in this bundle]\n${isOfKey ? lines.slice(end.index + end[0].length) : lines}`;
};
