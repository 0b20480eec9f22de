import { faultMatrix } from './fixtures/fault-matrix';

describe('every fault of every protocol', () => {
  faultMatrix(() => true);
});
