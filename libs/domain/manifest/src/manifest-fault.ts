import { Fault, type FieldProblem } from '@fleet/contracts/faults';

/** A problem of a manifest as a whole; earlier rows were already returned. */
export const manifestFault = (message: string, problems: readonly FieldProblem[] = []): Fault =>
  new Fault('manifest.invalid', 'caller', message, { problems });
