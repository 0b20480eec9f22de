import { submissionOfRow, type ManifestRow, type RowTemplate } from './index';

const bodyOf = (row: ManifestRow, template: RowTemplate = {}): unknown => {
  const submission = submissionOfRow(row, template);
  return 'body' in submission ? submission.body : submission.problems.map(({ field, reason }) => `${field}: ${reason}`);
};

it('adds the defaults of a batch: files after those of the row, settings one by one, texts with variables', () => {
  const template: RowTemplate = {
    base: '/data/mx1',
    proposal: 'mx1',
    submitter: 'eve',
    defaults: {
      files: ['model.pdb', '/lib/{ligand}.cif'],
      title: '{crystal} with {ligand}',
      advice: 'fit {ligand}; keep {{braces}',
      settings: { max_cycles: 5, resolution: 2 },
    },
  };
  const row = { files: ['x1/data.mtz'], variables: { crystal: 'x1', ligand: 'L01' }, settings: { resolution: 1.8 } };
  expect(bodyOf(row, template)).toEqual({
    files: ['/data/mx1/x1/data.mtz', '/data/mx1/model.pdb', '/lib/L01.cif'],
    title: 'x1 with L01',
    advice: 'fit L01; keep {braces}',
    settings: { max_cycles: 5, resolution: 1.8 },
    proposal: 'mx1',
    submitter: 'eve',
  });
});

it('keeps texts of the row unchanged', () => {
  expect(bodyOf({ title: 'a {b}', variables: { b: 'c' } })).toEqual({ title: 'a {b}' });
});

it('reports missing or invalid variables', () => {
  const template: RowTemplate = { defaults: { title: '{a} {b} {a} {constructor}' } };
  expect(bodyOf({ variables: { b: 1 } }, template)).toEqual([
    'variables.a: is missing: the batch names it as {a}',
    'variables.constructor: is missing: the batch names it as {constructor}',
  ]);
  expect(bodyOf({ variables: { b: ['x'] } }, template)).toEqual(['variables.b: a list is not allowed']);
  expect(bodyOf({ variables: 'b' }, template)).toEqual(['variables: must be an object of texts and numbers, not "b"']);
});

it('uses the proposal and the submitter of the batch', () => {
  expect(bodyOf({ proposal: 'mx2', submitter: 'mallory' }, { proposal: 'mx1' })).toEqual([
    'submitter: is that of the batch; a row has none of its own',
    'proposal: "mx2" is not the proposal of this batch',
  ]);
  expect(bodyOf({ proposal: 'mx1', title: 't' }, { proposal: 'mx1' })).toEqual({ proposal: 'mx1', title: 't' });
});

it('leaves wrong types to the validation of a submission', () => {
  expect(
    bodyOf({ files: 'x', settings: 3, title: null }, { base: '/d', defaults: { files: ['/m'], settings: {} } }),
  ).toEqual({
    files: 'x',
    settings: 3,
  });
});
