import { Fault, type FieldProblem } from '@fleet/contracts/faults';

/** Something is wrong with a manifest as a whole; rows before it have been given already. */
export const manifestFault = (message: string, problems: readonly FieldProblem[] = []): Fault =>
  new Fault('manifest.invalid', 'caller', message, { problems });
