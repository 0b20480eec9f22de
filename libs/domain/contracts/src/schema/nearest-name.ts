/** Levenshtein distance of two short words. */
const editDistance = (left: string, right: string): number => {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
};

/** Longer names than any valid one are not compared. */
const longestName = 64;

/** The most similar valid name, or undefined if none is near (more than a third of the letters differ). */
export const nearestName = (given: string, names: readonly string[]): string | undefined => {
  if (given.length > longestName) return undefined;
  const plain = given.toLowerCase().replaceAll('-', '_');
  const ranked = names
    .map((name) => ({ name, far: editDistance(plain, name.toLowerCase()) }))
    .sort((left, right) => left.far - right.far);
  const best = ranked[0];
  return best !== undefined && best.far <= Math.max(1, Math.ceil(best.name.length / 3)) ? best.name : undefined;
};
