import type { FilePin, SessionFile } from '@fleet/contracts/sessions';
import { aFile, aGuidance, aRequest, someSettings } from '@fleet/testing';
import { contentDigests, type ContentDigests } from './index';

const pin = (sha256: string | undefined, changes: Partial<FilePin> = {}): FilePin => ({
  inode: '7',
  size: 1000,
  modified: '1790000000000000000',
  ...(sha256 !== undefined && { sha256 }),
  ...changes,
});
const data = (content = 'd', path = '/data/x1.mtz'): SessionFile =>
  aFile({ path, facts: { format: 'mtz' }, pin: pin(content) });
const model = (content = 'm', path = '/data/model.pdb'): SessionFile =>
  aFile({ path, facts: { format: 'pdb' }, pin: pin(content) });

type Submission = Parameters<typeof contentDigests>[0];
const digests = (
  request: Parameters<typeof aRequest>[0] = {},
  more: Omit<Submission, 'request'> = {},
): ContentDigests => {
  const found = contentDigests({ request: aRequest({ inputs: [data(), model()], ...request }), ...more });
  if (found === undefined) throw new Error('the content of the files is unknown');
  return found;
};

/** Which digests of two submissions are the same. */
const same = (one: ContentDigests, other: ContentDigests): readonly string[] =>
  (['everything', 'data'] as const).filter((what) => one[what] === other[what]);

describe('contentDigests', () => {
  it('are the same for the same content, whatever the paths, submitter and time', () => {
    const copied = [model('m', '/data/copy/search.pdb'), data('d', '/data/copy/final.mtz')];
    const other = { title: 'again', beamline: 'i24', submitter: 'eve', priority: 'live' } as const;
    expect(same(digests(), digests({ inputs: copied, ...other }))).toEqual(['everything', 'data']);
  });

  it.each([
    ['another model', { inputs: [data(), model('n')] }],
    ['one file more', { inputs: [data(), model(), model('n', '/data/other.pdb')] }],
    ['other settings', { settings: someSettings({ max_cycles: 3 }) }],
    ['other directives', { directives: { stop_conditions: { after_program: 'phenix.refine' } } }],
  ])('are the same only for the data with %s', (_, request) => {
    expect(same(digests(), digests(request))).toEqual(['data']);
  });

  it('are the same only for the data with other advice', () => {
    expect(same(digests(), digests({}, { guidance: aGuidance() }))).toEqual(['data']);
    expect(same(digests({}, { guidance: aGuidance() }), digests({}, { guidance: aGuidance() }))).toEqual([
      'everything',
      'data',
    ]);
  });

  it.each([
    ['other data', { inputs: [data('e'), model()] }],
    ['more data', { inputs: [data(), data('e', '/data/x2.mtz'), model()] }],
    ['another proposal', { proposal: 'mx2' }],
  ])('differ with %s', (_, request) => {
    expect(same(digests(), digests(request))).toEqual([]);
  });

  it('do not depend on the order of directives', () => {
    const stop = { after_program: 'phenix.refine', max_refine_cycles: 2 };
    const turned = { max_refine_cycles: 2, after_program: 'phenix.refine' };
    const [one, other] = [stop, turned].map((stop_conditions) => digests({ directives: { stop_conditions } }));
    expect(one).toEqual(other);
  });

  it('of a resumed session are those of its submission', () => {
    const added = {
      inputs: [data(), model(), model('n', '/data/added.pdb')],
      settings: someSettings({ max_cycles: 3 }),
    };
    const submittedAs = { settings: someSettings(), files: ['/data/x1.mtz', '/data/model.pdb'] };
    expect(same(digests(), digests({ ...added, submittedAs }))).toEqual(['everything', 'data']);
  });

  it('of a file that is too large to be hashed are the same while the file is the same', () => {
    const large = (changes: Partial<FilePin> = {}): Parameters<typeof aRequest>[0] => ({
      inputs: [aFile({ path: '/data/map.ccp4', facts: { format: 'map' }, pin: pin(undefined, changes) })],
    });
    expect(same(digests(large()), digests(large()))).toEqual(['everything', 'data']);
    expect(same(digests(large()), digests(large({ modified: '1790000000000000001' })))).toEqual([]);
  });

  it('are undefined for files of unknown content, or without data', () => {
    expect(contentDigests({ request: aRequest() })).toBeUndefined();
    expect(contentDigests({ request: aRequest({ inputs: [model()] }) })).toBeUndefined();
  });
});
