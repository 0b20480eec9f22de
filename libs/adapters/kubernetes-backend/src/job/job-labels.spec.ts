import fc from 'fast-check';
import { jobNameOf, labelValue } from './job-labels';

describe('names and labels', () => {
  it('leaves valid text unchanged', () => {
    expect(jobNameOf('01hzy3v7k8w9x0y1z2a3b4c5d6-c003-a1')).toBe('phx-01hzy3v7k8w9x0y1z2a3b4c5d6-c003-a1');
    expect(labelValue('mx1234-1.a_B')).toBe('mx1234-1.a_B');
  });

  it('converts any text to a valid name and label, and different texts to different ones', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        expect(jobNameOf(one)).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
        expect(labelValue(one)).toMatch(/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/);
        expect(jobNameOf(one) === jobNameOf(other)).toBe(one === other);
        expect(labelValue(one) === labelValue(other)).toBe(one === other);
      }),
    );
  });
});
