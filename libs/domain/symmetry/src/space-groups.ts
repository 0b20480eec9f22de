/** Hermann-Mauguin symbols of all space groups in all their settings: the table of gemmi 0.7.5 (`gemmi.spacegroup_table()`, column `hm`). */
const symbols = `
  P 1, P -1, P 1 2 1, P 1 1 2, P 2 1 1, P 1 21 1, P 1 1 21, P 21 1 1, C 1 2 1, A 1 2 1, I 1 2 1, A 1 1 2, B 1 1 2, I 1 1 2, B 2 1 1, C 2 1 1, I 2 1 1, P
  1 m 1, P 1 1 m, P m 1 1, P 1 c 1, P 1 n 1, P 1 a 1, P 1 1 a, P 1 1 n, P 1 1 b, P b 1 1, P n 1 1, P c 1 1, C 1 m 1, A 1 m 1, I 1 m 1, A 1 1 m, B 1 1 m,
  I 1 1 m, B m 1 1, C m 1 1, I m 1 1, C 1 c 1, A 1 n 1, I 1 a 1, A 1 a 1, C 1 n 1, I 1 c 1, A 1 1 a, B 1 1 n, I 1 1 b, B 1 1 b, A 1 1 n, I 1 1 a, B b 1
  1, C n 1 1, I c 1 1, C c 1 1, B n 1 1, I b 1 1, P 1 2/m 1, P 1 1 2/m, P 2/m 1 1, P 1 21/m 1, P 1 1 21/m, P 21/m 1 1, C 1 2/m 1, A 1 2/m 1, I 1 2/m 1,
  A 1 1 2/m, B 1 1 2/m, I 1 1 2/m, B 2/m 1 1, C 2/m 1 1, I 2/m 1 1, P 1 2/c 1, P 1 2/n 1, P 1 2/a 1, P 1 1 2/a, P 1 1 2/n, P 1 1 2/b, P 2/b 1 1, P 2/n 1
  1, P 2/c 1 1, P 1 21/c 1, P 1 21/n 1, P 1 21/a 1, P 1 1 21/a, P 1 1 21/n, P 1 1 21/b, P 21/b 1 1, P 21/n 1 1, P 21/c 1 1, C 1 2/c 1, A 1 2/n 1, I 1
  2/a 1, A 1 2/a 1, C 1 2/n 1, I 1 2/c 1, A 1 1 2/a, B 1 1 2/n, I 1 1 2/b, B 1 1 2/b, A 1 1 2/n, I 1 1 2/a, B 2/b 1 1, C 2/n 1 1, I 2/c 1 1, C 2/c 1 1,
  B 2/n 1 1, I 2/b 1 1, P 2 2 2, P 2 2 21, P 21 2 2, P 2 21 2, P 21 21 2, P 2 21 21, P 21 2 21, P 21 21 21, C 2 2 21, A 21 2 2, B 2 21 2, C 2 2 2, A 2 2
  2, B 2 2 2, F 2 2 2, I 2 2 2, I 21 21 21, P m m 2, P 2 m m, P m 2 m, P m c 21, P c m 21, P 21 m a, P 21 a m, P b 21 m, P m 21 b, P c c 2, P 2 a a, P b
  2 b, P m a 2, P b m 2, P 2 m b, P 2 c m, P c 2 m, P m 2 a, P c a 21, P b c 21, P 21 a b, P 21 c a, P c 21 b, P b 21 a, P n c 2, P c n 2, P 2 n a, P 2
  a n, P b 2 n, P n 2 b, P m n 21, P n m 21, P 21 m n, P 21 n m, P n 21 m, P m 21 n, P b a 2, P 2 c b, P c 2 a, P n a 21, P b n 21, P 21 n b, P 21 c n,
  P c 21 n, P n 21 a, P n n 2, P 2 n n, P n 2 n, C m m 2, A 2 m m, B m 2 m, C m c 21, C c m 21, A 21 m a, A 21 a m, B b 21 m, B m 21 b, C c c 2, A 2 a
  a, B b 2 b, A m m 2, B m m 2, B 2 m m, C 2 m m, C m 2 m, A m 2 m, A b m 2, B m a 2, B 2 c m, C 2 m b, C m 2 a, A c 2 m, A m a 2, B b m 2, B 2 m b, C 2
  c m, C c 2 m, A m 2 a, A b a 2, B b a 2, B 2 c b, C 2 c b, C c 2 a, A c 2 a, F m m 2, F 2 m m, F m 2 m, F d d 2, F 2 d d, F d 2 d, I m m 2, I 2 m m, I
  m 2 m, I b a 2, I 2 c b, I c 2 a, I m a 2, I b m 2, I 2 m b, I 2 c m, I c 2 m, I m 2 a, P m m m, P n n n, P c c m, P m a a, P b m b, P b a n, P n c b,
  P c n a, P m m a, P m m b, P b m m, P c m m, P m c m, P m a m, P n n a, P n n b, P b n n, P c n n, P n c n, P n a n, P m n a, P n m b, P b m n, P c n
  m, P n c m, P m a n, P c c a, P c c b, P b a a, P c a a, P b c b, P b a b, P b a m, P m c b, P c m a, P c c n, P n a a, P b n b, P b c m, P c a m, P m
  c a, P m a b, P b m a, P c m b, P n n m, P m n n, P n m n, P m m n, P n m m, P m n m, P b c n, P c a n, P n c a, P n a b, P b n a, P c n b, P b c a, P
  c a b, P n m a, P m n b, P b n m, P c m n, P m c n, P n a m, C m c m, C c m m, A m m a, A m a m, B b m m, B m m b, C m c a, C c m b, A b m a, A c a m,
  B b c m, B m a b, C m m m, A m m m, B m m m, C c c m, A m a a, B b m b, C m m a, C m m b, A b m m, A c m m, B m c m, B m a m, C c c a, C c c b, A b a
  a, A c a a, B b c b, B b a b, F m m m, F d d d, I m m m, I b a m, I m c b, I c m a, I b c a, I c a b, I m m a, I m m b, I b m m, I c m m, I m c m, I m
  a m, P 4, P 41, P 42, P 43, I 4, I 41, P -4, I -4, P 4/m, P 42/m, P 4/n, P 42/n, I 4/m, I 41/a, P 4 2 2, P 4 21 2, P 41 2 2, P 41 21 2, P 42 2 2, P 42
  21 2, P 43 2 2, P 43 21 2, I 4 2 2, I 41 2 2, P 4 m m, P 4 b m, P 42 c m, P 42 n m, P 4 c c, P 4 n c, P 42 m c, P 42 b c, I 4 m m, I 4 c m, I 41 m d,
  I 41 c d, P -4 2 m, P -4 2 c, P -4 21 m, P -4 21 c, P -4 m 2, P -4 c 2, P -4 b 2, P -4 n 2, I -4 m 2, I -4 c 2, I -4 2 m, I -4 2 d, P 4/m m m, P 4/m c
  c, P 4/n b m, P 4/n n c, P 4/m b m, P 4/m n c, P 4/n m m, P 4/n c c, P 42/m m c, P 42/m c m, P 42/n b c, P 42/n n m, P 42/m b c, P 42/m n m, P 42/n m
  c, P 42/n c m, I 4/m m m, I 4/m c m, I 41/a m d, I 41/a c d, P 3, P 31, P 32, R 3, P -3, R -3, P 3 1 2, P 3 2 1, P 31 1 2, P 31 2 1, P 32 1 2, P 32 2
  1, R 3 2, P 3 m 1, P 3 1 m, P 3 c 1, P 3 1 c, R 3 m, R 3 c, P -3 1 m, P -3 1 c, P -3 m 1, P -3 c 1, R -3 m, R -3 c, P 6, P 61, P 65, P 62, P 64, P 63,
  P -6, P 6/m, P 63/m, P 6 2 2, P 61 2 2, P 65 2 2, P 62 2 2, P 64 2 2, P 63 2 2, P 6 m m, P 6 c c, P 63 c m, P 63 m c, P -6 m 2, P -6 c 2, P -6 2 m, P
  -6 2 c, P 6/m m m, P 6/m c c, P 63/m c m, P 63/m m c, P 2 3, F 2 3, I 2 3, P 21 3, I 21 3, P m -3, P n -3, F m -3, F d -3, I m -3, P a -3, I a -3, P 4
  3 2, P 42 3 2, F 4 3 2, F 41 3 2, I 4 3 2, P 43 3 2, P 41 3 2, I 41 3 2, P -4 3 m, F -4 3 m, I -4 3 m, P -4 3 n, F -4 3 c, I -4 3 d, P m -3 m, P n -3
  n, P m -3 n, P n -3 m, F m -3 m, F m -3 c, F d -3 m, F d -3 c, I m -3 m, I a -3 d, I 1 21 1, C 1 21 1, P 21212(a), C 2 2 21a), C 2 2 2a, F 2 2 2a, I 2
  2 2a, P 42 21 2a, I 2 3a, A 1, B 1, C 1, F 1, I 1, A -1, B -1, C -1, F -1, I -1, B 1 2 1, C 1 1 2, B 1 21 1, C 1 1 21, F 1 2 1, F 1 m 1, F 1 d 1, F 1
  2/m 1, A b a m, C 4 2 2, C 4 2 21, F 4 2 2, C -4 2 m, C -4 2 b, F 4/m m m
`;

/** Short forms as gemmi makes them: `P21` of `P 1 21 1`; `H3` and `H32` are the hexagonal axes of R3 and R32, as the PDB writes them. */
const shortForms = (symbol: string): readonly string[] => {
  const monoclinic = /^(\S) 1 (\S+) 1$/.exec(symbol);
  if (monoclinic !== null) return [`${monoclinic[1] ?? ''}${monoclinic[2] ?? ''}`];
  return symbol.startsWith('R ') ? [symbol.replace('R', 'H').replaceAll(' ', '')] : [];
};

const withoutBlanks = (symbol: string): string => symbol.replaceAll(' ', '');

interface KnownGroup {
  readonly form: string;
  readonly symbol: string;
}

let byPlain: ReadonlyMap<string, KnownGroup> | undefined;

/** A group by a form of its symbol, without blanks and in lower case. The table is made at its first use: few commands of phx need it. */
const known = (plain: string): KnownGroup | undefined => {
  byPlain ??= new Map(
    symbols
      .split(',')
      .map((symbol) => symbol.trim().replaceAll(/\s+/g, ' '))
      .toReversed()
      .flatMap((symbol) =>
        [withoutBlanks(symbol), ...shortForms(symbol)].map((form) => [form.toLowerCase(), { form, symbol }] as const),
      ),
  );
  return byPlain.get(plain);
};

/** Common notations of screw axes and centring: `P2(1)2(1)2(1)`, `P2_1`, `P 2~1~`, `P2_{1}`. */
const typesetting = /[\s_~^(){}]/g;

/** Axes after a symbol: `R 3 :H`, `P n n n :2`. */
const setting = /^(.*?):([hr12])$/;

/** Numbers of the International Tables. */
const lastNumber = 230;

/**
 * The space group of a text in any notation, without blanks: `P212121` for "P 2(1) 2(1) 2(1)", `R3:H`, `19`; undefined for an unknown one.
 */
export const spaceGroupOf = (text: string): string | undefined => {
  const plain = text.toLowerCase().replaceAll(typesetting, '');
  const number = /^(?:no\.?|number)?(\d{1,3})$/.exec(plain)?.[1];
  if (number !== undefined)
    return Number(number) >= 1 && Number(number) <= lastNumber ? String(Number(number)) : undefined;
  const [, symbol = plain, axes] = setting.exec(plain) ?? [];
  const form = known(symbol)?.form;
  return form === undefined || axes === undefined ? form : `${form}:${axes.toUpperCase()}`;
};

/**
 * The Hermann-Mauguin symbol in gemmi's notation: `P 1 21 1` for "P21", `R 3:H` for "H 3", `P 43 21 2` for "P43212". R groups have hexagonal
 * axes by default. Undefined for an unknown group.
 */
export const hermannMauguin = (text: string): string | undefined => {
  const plain = text.toLowerCase().replaceAll(typesetting, '');
  const [, name = plain, axes = ''] = setting.exec(plain) ?? [];
  const symbol = known(name)?.symbol;
  if (symbol === undefined || !symbol.startsWith('R ')) return symbol;
  return `${symbol}:${axes === 'r' ? 'R' : 'H'}`;
};

const screw = String.raw`-?[1-6](?:[_~^]?\{?[1-5]\}?~?|\([1-5]\))?(?:/[mnabcde](?![a-z]))?`;
const longest = new RegExp(
  String.raw`^[pabcfirh](?:[ _]?(?:${screw}|[mnabcd](?![a-z]))){1,6}(?![\w(])(?: ?: ?[hr12](?!\w))?(?=[\s,;.)]|$)`,
  'i',
);

/** The symbol at the beginning of a text, even if the group does not exist. */
export const symbolAt = (text: string): string | undefined => longest.exec(text)?.[0];
