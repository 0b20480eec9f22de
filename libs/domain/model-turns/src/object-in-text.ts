/** The end of the object that begins at `from`, after its brace; undefined if it is unclosed. */
const endOf = (text: string, from: number): number | undefined => {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
};

/**
 * The first JSON object in a model's text: surrounding prose and fences are ignored, and nothing is repaired. Undefined if there is none, or
 * it is unclosed.
 */
export const objectIn = (text: string): unknown => {
  const from = text.indexOf('{');
  const end = from === -1 ? undefined : endOf(text, from);
  if (end === undefined) return undefined;
  try {
    return JSON.parse(text.slice(from, end)) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
