const primes = [4, 2, 3, 5] as const;

/** Its factors, fours first; undefined where another prime than 2, 3 and 5 divides it. */
const factorsOf = (length: number): readonly number[] | undefined => {
  const factors: number[] = [];
  let rest = length;
  for (const prime of primes)
    while (rest % prime === 0) {
      factors.push(prime);
      rest /= prime;
    }
  return rest === 1 ? factors : undefined;
};

/** The smallest length from this one on that is made of 2, 3 and 5. */
export const goodLength = (least: number): number => {
  let length = Math.max(1, Math.ceil(least));
  while (factorsOf(length) === undefined) length += 1;
  return length;
};

/** Complex numbers, real and imaginary parts apart. */
export interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

export const complexOf = (length: number): Complex => ({ re: new Float64Array(length), im: new Float64Array(length) });

interface Pass {
  readonly factor: number;
  /** Number of parallel transforms. */
  readonly stride: number;
  /** What is left to transform after this pass. */
  readonly rest: number;
}

/** The discrete Fourier transform of one length (Stockham's, which sorts as it goes): X[j] = Σ x[k] exp(-2πi jk/n). */
export class Fourier {
  private readonly passes: readonly Pass[];
  private readonly turns: Complex;
  private readonly spare: Complex;

  /** @throws RangeError for a length with another prime factor than 2, 3 and 5, see `goodLength` */
  constructor(readonly length: number) {
    const factors = factorsOf(length);
    if (factors === undefined) throw new RangeError(`a length of ${length} is not made of 2, 3 and 5`);
    let stride = 1;
    this.passes = factors.map((factor) => {
      const pass = { factor, stride, rest: length / stride / factor };
      stride *= factor;
      return pass;
    });
    this.turns = complexOf(length);
    for (let at = 0; at < length; at += 1) {
      this.turns.re[at] = Math.cos((-2 * Math.PI * at) / length);
      this.turns.im[at] = Math.sin((-2 * Math.PI * at) / length);
    }
    this.spare = complexOf(length);
  }

  /** In place. */
  transform(line: Complex): void {
    let [from, to] = [line, this.spare];
    for (const pass of this.passes) {
      this.step(from, to, pass);
      [from, to] = [to, from];
    }
    if (from === line) return;
    line.re.set(from.re);
    line.im.set(from.im);
  }

  private step(from: Complex, to: Complex, { factor, stride, rest }: Pass): void {
    to.re.fill(0);
    to.im.fill(0);
    const length = factor * rest;
    for (let index = 0; index < rest; index += 1)
      for (let out = 0; out < factor; out += 1)
        for (let part = 0; part < factor; part += 1) {
          const turn = ((out * (part * rest + index)) % length) * stride;
          const source = stride * (index + rest * part);
          this.add(from, source, to, { at: stride * (factor * index + out), turn, count: stride });
        }
  }

  private add(
    from: Complex,
    source: number,
    to: Complex,
    { at, turn, count }: { readonly at: number; readonly turn: number; readonly count: number },
  ): void {
    const [cos, sin] = [this.turns.re[turn] ?? 0, this.turns.im[turn] ?? 0];
    for (let next = 0; next < count; next += 1) {
      const [re, im] = [from.re[source + next] ?? 0, from.im[source + next] ?? 0];
      to.re[at + next] = (to.re[at + next] ?? 0) + re * cos - im * sin;
      to.im[at + next] = (to.im[at + next] ?? 0) + re * sin + im * cos;
    }
  }
}
