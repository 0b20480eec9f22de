/** Letters that are kept of one file: what is longer is no search model, and records have to stay small. */
export const maxLetters = 10_000;

/** The different ones of these chains; undefined where there is none, or they are too long. */
export const differentChains = (chains: Iterable<string>): readonly string[] | undefined => {
  const different = [...new Set(chains)].filter((chain) => chain !== '');
  const total = different.reduce((sum, chain) => sum + chain.length, 0);
  return different.length === 0 || total > maxLetters ? undefined : different;
};
