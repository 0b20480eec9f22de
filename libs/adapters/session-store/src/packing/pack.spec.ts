import { createHash } from 'node:crypto';
import { aCycle, aFile, aResult } from '@fleet/testing';
import { frequentTexts } from './frequent-texts';
import { pack, unpack } from './pack';
import { typicalCycle } from './typical-cycle';

const unpacked = (stored: string | Buffer): string => unpack(Buffer.from(stored));

describe('packing', () => {
  it('gives back a cycle character for character, in a fraction of its size', () => {
    const outputs = Array.from({ length: 20 }, (_, index) => aFile({ path: `/work/mx1/größer/${String(index)}.mtz` }));
    const text = JSON.stringify(aCycle({ result: aResult({ outputs, metrics: { r_free: 0.25 } }) }));
    const packed = pack(text);
    expect(unpacked(packed)).toBe(text);
    expect(Buffer.from(packed).length).toBeLessThan(text.length / 4);
  });

  it('leaves a short text as it is, so that it is read as it stands', () => {
    expect(pack('{"reason":"converged"}')).toBe('{"reason":"converged"}');
    expect(unpacked('{"reason":"converged"}')).toBe('{"reason":"converged"}');
  });

  it('fails where what is stored was cut off', () => {
    const packed = Buffer.from(pack(JSON.stringify(aCycle())));
    expect(() => unpack(packed.subarray(0, packed.length - 5))).toThrow(/unexpected end/);
  });

  it('keeps its dictionary: what is stored was packed with these very characters', () => {
    const digest = createHash('sha256')
      .update(frequentTexts + typicalCycle)
      .digest('hex');
    expect(digest).toBe('0ada01b62b48f074cb49061097b85d971c24030fec0af622b2acfb5e4cbde797');
  });
});
