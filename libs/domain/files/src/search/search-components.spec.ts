import type { SessionFile } from '@fleet/contracts/sessions';
import { aFile } from '@fleet/testing';
import { holdsComponent, searchComponents } from './search-components';
import { likeness } from './sequence-likeness';

const lysozyme =
  'KVFGRCELAAAMKRHGLDNYRGYSLGNWVCAAKFESNFNTQATNRNTDGSTDYGILQINSRWWCNDGRTPGSRNLCNIPCSALLSSDITASVNCAKKIVSDGNGMNAWVAWRNRCKGTDVQAWIRGCRL';
/** Human alpha-lactalbumin: the same fold, 37 % identical. */
const lactalbumin =
  'KQFTKCELSQLLKDIDGYGGIALPELICTMFHTSGYDTQAIVENNESTEYGLFQISNKLWCKSSQVPQSRNICDISCDKFLDDDITDDIMCAKKILDIKGIDYWLAHKALCTEKLEQWLCEKL';
const ubiquitin = 'MQIFVKTLTGKTITLEVEPSDTIENVKAKIQDKEGIPPDQQRLIFAGKQLEDGRTLSDYNIQKESTLHLVLRLRGG';

const model = (name: string, ...sequences: readonly string[]): SessionFile => {
  const polymerResidues = sequences.join('').length;
  const counted = {
    atoms: 10 * polymerResidues,
    chains: ['A'],
    waters: 0,
    ligandCodes: [],
    predicted: false,
    meanB: 20,
  };
  return aFile({
    path: `/data/${name}.pdb`,
    facts: { format: 'pdb', model: { ...counted, polymerResidues, ...(polymerResidues > 0 && { sequences }) } },
  });
};

const names = (
  models: readonly SessionFile[],
  chains: readonly string[] = [],
  most?: number,
  ...stems: string[]
): string =>
  searchComponents(models, { chains, stems: new Set(chains.length > 0 ? ['seq', ...stems] : stems) }, most)
    .map((component) => component.models.map(({ path }) => path.slice(6, -4)).join('/'))
    .join(' + ');

describe('similarity of two chains', () => {
  it('finds the position of a part in the whole', () => {
    expect(likeness(lysozyme.slice(40, 90), lysozyme)).toEqual({ from: 40, to: 90 });
  });

  it('detects a homologue of 37 % identity, and nothing in another fold', () => {
    const found = likeness(lactalbumin, lysozyme);
    expect((found?.to ?? 0) - (found?.from ?? 0)).toBeGreaterThan(100);
    expect(likeness(ubiquitin, lysozyme)).toBeUndefined();
  });
});

describe('components of a crystal', () => {
  const whole = model('whole', lysozyme);
  const front = model('front', lysozyme.slice(0, 58));
  const back = model('back', lysozyme.slice(58));
  const other = model('other', ubiquitin);

  it('are domains in different stretches of the sequence', () => {
    expect(names([front, back], [lysozyme])).toBe('back + front');
    expect(names([back, front], [lysozyme])).toBe('back + front');
  });

  it('are chains without similarity', () => {
    expect(names([other, whole])).toBe('whole + other');
    expect(names([other, whole], [lysozyme, ubiquitin])).toBe('whole + other');
  });

  it('are models of the same protein as one component, the preferred first', () => {
    expect(names([model('homologue', lactalbumin), whole], [lysozyme])).toBe('homologue/whole');
    expect(names([model('homologue', lactalbumin), whole])).toBe('homologue/whole');
    expect(names([front, whole, back], [lysozyme])).toBe('front/whole/back');
  });

  it('are a single one if a sequence is unknown, or the asymmetric unit is too small for all', () => {
    expect(names([model('unread'), whole])).toBe('unread/whole');
    expect(names([other, whole], [], 150)).toBe('other/whole');
  });

  it('are uninspected models with a sequence file each', () => {
    expect(names([model('beta'), model('blip')], [], undefined, 'beta', 'blip')).toBe('beta + blip');
    expect(names([model('beta'), model('blip')], [], undefined, 'both')).toBe('beta/blip');
  });

  it('exclude a model that is not in the sequence', () => {
    expect(names([whole, other], [lysozyme])).toBe('whole/other');
  });

  it('are found in a placed model, or not', () => {
    const placed = model('placed', lysozyme.slice(58));
    expect(holdsComponent(placed, back)).toBe(true);
    expect(holdsComponent(placed, front)).toBe(false);
    expect(holdsComponent(placed, model('unread'))).toBeUndefined();
  });
});
