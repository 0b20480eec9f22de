import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { isUnknownHost, type ProcessIdentity } from '../processes/process-table';
import type { ResultRecord, RunRecord } from './attempt-records';

type Sealed = Pick<ResultRecord, 'name' | 'startedAt' | 'ending'>;

const textOfResult = ({ name, startedAt, ending }: Sealed): Buffer =>
  Buffer.from(JSON.stringify(['result', name, startedAt, ending]));
const textOfProgram = (name: string, { pid, startTime }: ProcessIdentity): Buffer =>
  Buffer.from(JSON.stringify(['program', name, pid, startTime]));

/**
 * The key pair of one supervisor, created before its program starts. The claim holds the public key; the private key
 * stays in memory. A valid seal proves that the process that made the claim wrote the record.
 */
export class SupervisorSeal {
  private readonly pair = generateKeyPairSync('ed25519');
  /** The public key, as DER in base64. */
  readonly key = this.pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

  ofResult(result: Sealed): string {
    return sign(null, textOfResult(result), this.pair.privateKey).toString('base64');
  }

  ofProgram(name: string, program: ProcessIdentity): string {
    return sign(null, textOfProgram(name, program), this.pair.privateKey).toString('base64');
  }
}

const isSealed = (text: Buffer, seal: string | undefined, key: string | undefined): boolean => {
  if (seal === undefined || key === undefined) return false;
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), type: 'spki', format: 'der' });
    return verify(null, text, publicKey, Buffer.from(seal, 'base64'));
  } catch {
    // Not a valid key or seal: another process wrote it.
    return false;
  }
};

/** True when the supervisor that made the claim wrote this result. */
export const isSealedResult = (result: ResultRecord, claim: Pick<RunRecord, 'key'> | undefined): boolean =>
  isSealed(textOfResult(result), result.seal, claim?.key);

/** True when the supervisor that made the claim noted this program in it. */
export const isSealedProgram = ({ name, program, programSeal }: RunRecord, claim: Pick<RunRecord, 'key'>): boolean =>
  program !== undefined && isSealed(textOfProgram(name, program), programSeal, claim.key);

/**
 * Whether a result counts once no process of its run is alive. A program can write anything into its own folder, so
 * only its supervisor's seal proves that it ended by itself. "Lost" and "ended" need no seal: a program gains nothing
 * from them, and executors write them for runs whose supervisor died. Claims without a key are from a release before
 * seals.
 */
export const isBelievable = (result: ResultRecord, claim: RunRecord | undefined): boolean =>
  isSealedResult(result, claim) ||
  result.ending.kind !== 'exited' ||
  (claim?.claimedBy === 'supervisor' && claim.key === undefined && !isUnknownHost(claim.host));
