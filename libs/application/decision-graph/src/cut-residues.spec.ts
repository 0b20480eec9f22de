import { argvOf, dataFile, modelFile, sequenceFile, walkBench } from '@fleet/testing';

const bench = walkBench({
  runs: { xtriage: [{ metrics: { resolution: 2.1, no_twinning_suspected: true } }] },
  installed: 'open',
});

describe('residues that were cut off a prediction', () => {
  const cut = { ...sequenceFile(24), path: '/data/AF-P12345_remainder.seq' };

  it('do not count for the sequence of the crystal, even if the whole sequence was submitted', async () => {
    const inputs = [dataFile(), modelFile('/data/AF-P12345_processed.pdb')];
    const alone = await bench.walk([...inputs, cut]);
    expect(alone.session.cycles.flatMap(({ decision }) => decision.argv).join(' ')).not.toContain('remainder');
    const beside = await bench.walk([...inputs, sequenceFile(), cut]);
    expect(argvOf(beside, 'xtriage').join(' ')).toContain('/data/seq.fasta');
    expect(beside.session.cycles.flatMap(({ decision }) => decision.argv).join(' ')).not.toContain('remainder');
  });
});
