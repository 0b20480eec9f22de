import { anInstallation, outliveEveryPoint } from './every-point';
import { requests } from './paths';

describe('what is asked for is done once, whatever dies or fails at any call of a port', () => {
  outliveEveryPoint(requests, anInstallation());
});
