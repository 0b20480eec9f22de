import { aCycle, aResult, aSession } from '@fleet/testing';
import { toResultsView } from './results-view';

it('contains the metrics of the cycles about the best model, if there is one', () => {
  const refined = (cycle: number, value: number) => aCycle({ cycle, result: aResult({ metrics: { r_free: value } }) });
  const session = aSession({ cycles: [refined(5, 0.24), refined(6, 0.29)] });
  const rFree = (cycles = session.cycles) => toResultsView(session, [], cycles).metrics[0];
  expect(rFree(session.cycles.slice(0, 1))).toMatchObject({ value: 0.24, cycle: 5 });
  expect(rFree()).toMatchObject({ value: 0.29, cycle: 6 });
});
