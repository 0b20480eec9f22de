import { complexOf, Fourier, goodLength } from './fourier';

/** The sum itself, term by term. */
const summed = (re: readonly number[], im: readonly number[], at: number): readonly [number, number] => {
  let [real, imaginary] = [0, 0];
  re.forEach((value, k) => {
    const angle = (-2 * Math.PI * at * k) / re.length;
    real += value * Math.cos(angle) - (im[k] ?? 0) * Math.sin(angle);
    imaginary += value * Math.sin(angle) + (im[k] ?? 0) * Math.cos(angle);
  });
  return [real, imaginary];
};

describe('the Fourier transform of a line', () => {
  it.each([1, 2, 3, 4, 5, 6, 8, 9, 12, 15, 16, 30, 45, 60, 125])('of length %d is the sum itself', (length) => {
    const line = complexOf(length);
    const re = Array.from({ length }, (_, at) => Math.sin(at * at + 1));
    const im = Array.from({ length }, (_, at) => Math.cos(3 * at));
    line.re.set(re);
    line.im.set(im);
    new Fourier(length).transform(line);
    for (let at = 0; at < length; at += 1) {
      const [real, imaginary] = summed(re, im, at);
      expect(line.re[at]).toBeCloseTo(real, 9);
      expect(line.im[at]).toBeCloseTo(imaginary, 9);
    }
  });

  it('takes lengths of 2, 3 and 5 alone', () => {
    expect(() => new Fourier(14)).toThrow('14');
    expect([1, 7, 11, 97, 121].map(goodLength)).toEqual([1, 8, 12, 100, 125]);
  });
});
