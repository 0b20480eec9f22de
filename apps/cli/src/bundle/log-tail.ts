/** Where a private key ends that is written over several lines. */
const endOfKey = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const beginOfKey = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/**
 * The end of a log without what a cut has made unrecognisable: the rest of a line whose beginning would have said that it holds a secret,
 * and the rest of a key.
 * @param isCut something stood before it
 */
export const logTail = (text: string, isCut: boolean): string => {
  if (!isCut) return text;
  const lines = text.slice(text.includes('\n') ? text.indexOf('\n') + 1 : text.length);
  const end = endOfKey.exec(lines);
  const isOfKey = end !== null && lines.slice(0, end.index).search(beginOfKey) < 0;
  return `[earlier lines are not in this bundle]\n${isOfKey ? lines.slice(end.index + end[0].length) : lines}`;
};
