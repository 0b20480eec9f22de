import { aRequest, aSession, dataFile, modelFile, projectRules } from '@fleet/testing';
import { inputSection } from './summary-input';

it('lists the use of each submitted file, or why it has none, with notes as sentences', () => {
  const two = dataFile({ freeFlag: 'R-free-flags', otherFreeFlags: ['FreeR_flag'] });
  const inputs = [two, dataFile({}, '/data/copy.mtz'), modelFile()];
  const rows = inputSection(aSession({ request: aRequest({ inputs }) }), projectRules());
  expect(rows.find((row) => row.includes('copy.mtz'))).toContain(' **not used**: data.mtz is used as data instead: ');
  expect(rows.join('\n')).toMatch(
    /used as data by .+\. It has several columns of R-free flags: .+ then the first column\. \|/,
  );
});
