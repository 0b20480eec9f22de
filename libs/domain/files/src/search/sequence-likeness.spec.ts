import { likeness } from './sequence-likeness';

const chain = 'MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVK';
const other = 'GGSGGSGGSGPPPGGSGGSDDDGGSGGPPGGSGGSG';

describe('a chain', () => {
  it('is found in a chain that contains it', () => {
    expect(likeness(chain, chain)).toEqual({ from: 0, to: 60 });
    expect(likeness(chain.slice(10, 50), chain)).toEqual({ from: 10, to: 50 });
    expect(likeness(chain, `${other}${chain}${other}`)).toEqual({ from: 36, to: 96 });
  });

  it('is found with exchanged, missing and additional residues', () => {
    const exchanged = chain.replace('SFVKS', 'TYIRS');
    expect(likeness(exchanged, `${other}${chain}`)).toEqual({ from: 36, to: 96 });
    const shorter = `${chain.slice(0, 30)}${chain.slice(33)}`;
    expect(likeness(shorter, `${other}${chain}`)).toEqual({ from: 36, to: 96 });
    expect(likeness(`${other}${chain}`, shorter)).toEqual({ from: 0, to: 57 });
    const cut = `${chain.slice(0, 30)}XXX${chain.slice(30)}`;
    expect(likeness(chain, `${other}${cut}`)).toEqual({ from: 36, to: 99 });
  });

  it('ends with the similarity', () => {
    expect(likeness(`${chain}${other}`, `${'W'.repeat(20)}${chain}${'W'.repeat(20)}`)).toEqual({ from: 20, to: 80 });
  });

  it('is not found in unrelated chains', () => {
    expect(likeness(chain, other)).toBeUndefined();
    expect(likeness(chain, '')).toBeUndefined();
    expect(likeness('', '')).toBeUndefined();
    expect(likeness('XXXXXXXX', 'XXXXXXXX')).toBeUndefined();
  });

  it('must match at every second residue if it is short', () => {
    expect(likeness('WCW', 'GGWCWGG')).toEqual({ from: 2, to: 5 });
    expect(likeness('AAAA', 'AAAA')).toEqual({ from: 0, to: 4 });
    expect(likeness('AAGG', 'AAPP')).toEqual({ from: 0, to: 2 });
    expect(likeness('AAGGG', 'AAPPP')).toBeUndefined();
  });

  it('must reach 60 half bits if it is long', () => {
    expect(likeness(`${'A'.repeat(15)}${'G'.repeat(30)}`, `${'A'.repeat(15)}${'P'.repeat(30)}`)).toEqual({
      from: 0,
      to: 15,
    });
    expect(likeness(`${'A'.repeat(14)}${'G'.repeat(30)}`, `${'A'.repeat(14)}${'P'.repeat(30)}`)).toBeUndefined();
  });

  it('is found again with the same result', () => {
    expect(likeness('WWCWWC', 'WWCWWC')).toEqual({ from: 0, to: 6 });
    expect(likeness('WWCWWC', 'WWCWWC')).toEqual({ from: 0, to: 6 });
    for (let count = 1; count <= 600; count += 1) likeness('GP', 'P'.repeat(count));
    expect(likeness('WWCWWC', 'WWCWWC')).toEqual({ from: 0, to: 6 });
  });
});
