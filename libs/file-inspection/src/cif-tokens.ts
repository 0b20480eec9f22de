const token = /'((?:[^']|'(?=\S))*)'(?=\s|$)|"((?:[^"]|"(?=\S))*)"(?=\s|$)|(\S+)/g;

/** Values of one line of a CIF file; quotes are taken off. Text blocks between semicolons are not for this. */
export const cifTokens = (line: string): readonly string[] =>
  [...line.matchAll(token)].map(([, single, double, bare]) => single ?? double ?? bare ?? '');
