import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { isUnknownHost, type ProcessIdentity } from '../processes/process-table';
import type { ResultRecord, RunRecord } from './attempt-records';

type Sealed = Pick<ResultRecord, 'name' | 'startedAt' | 'ending'>;

const textOfResult = ({ name, startedAt, ending }: Sealed): Buffer =>
  Buffer.from(JSON.stringify(['result', name, startedAt, ending]));
const textOfProgram = (name: string, { pid, startTime }: ProcessIdentity): Buffer =>
  Buffer.from(JSON.stringify(['program', name, pid, startTime]));

/**
 * The key pair of one supervisor, made before its program starts: the claim carries the public half, the private one stays in its memory. What is
 * sealed with it was written by the process that made the claim.
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
    // A key or a seal that is none: written by somebody else.
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
 * Whether a result may be believed once nothing of its run lives any more. A program can write into its own folder and claim anything there; that
 * it ended by itself is believed of its supervisor alone. Anybody may say that it was lost or ended: that is no gain to it, and executors say so of
 * runs whose supervisor is gone. Claims without a key are of a release before there was one.
 */
export const isBelievable = (result: ResultRecord, claim: RunRecord | undefined): boolean =>
  isSealedResult(result, claim) ||
  result.ending.kind !== 'exited' ||
  (claim?.claimedBy === 'supervisor' && claim.key === undefined && !isUnknownHost(claim.host));
