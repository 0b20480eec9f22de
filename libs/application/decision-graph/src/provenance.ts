import { createHash } from 'node:crypto';
import { canonicalJson, releaseVersion } from '@fleet/contracts/service';
import type { Provenance, Session } from '@fleet/contracts/sessions';
import type { RuleBook } from '@fleet/knowledge-model';
import type { Assessment, DecisionInput } from './decision-types';
import type { Draft } from './state';

/** Cache: all cycles of a session share one request. */
const digests = new WeakMap<Session['request'], string>();

/**
 * SHA-256, hexadecimal, of the parts of a request that affect decisions: a resume may change them. Equal before and after storing a record.
 */
export const requestDigest = ({ request }: Pick<Session, 'request'>): string => {
  const known = digests.get(request);
  if (known !== undefined) return known;
  const { settings, inputs, directives, ligands, steering } = request;
  const read = JSON.parse(JSON.stringify({ settings, inputs, directives, ligands, steering })) as unknown;
  const digest = createHash('sha256').update(canonicalJson(read)).digest('hex');
  digests.set(request, digest);
  return digest;
};

/** The image that the first attempt of the program requests; undefined if its digest is unknown. */
const imageOf = (program: string, { described }: Assessment, ruleBook: RuleBook): string | undefined =>
  described.programs.get(program)?.installed?.images?.[
    ruleBook.programs[program]?.resources.class === 'gpu' ? 'gpu' : 'cpu'
  ];

type Decided = Pick<Draft, 'pastStop'> & { readonly assessment: Assessment; readonly program: string };

/** Everything that a decision depended on, for its record. */
export const provenanceOf = (
  { assessment, program, pastStop }: Decided,
  { session, missing }: DecisionInput,
  ruleBook: RuleBook,
): Provenance => {
  const { described, menu } = assessment;
  const unavailable = [...described.programs].flatMap(([name, { installed }]) => (installed === undefined ? name : []));
  const image = imageOf(program, assessment, ruleBook);
  return {
    release: releaseVersion,
    knowledge: ruleBook.digest,
    request: requestDigest(session),
    rule: menu.rule,
    ...(image !== undefined && { image }),
    ...(unavailable.length > 0 && { unavailable }),
    ...(missing !== undefined && missing.size > 0 && { skippedFiles: [...missing] }),
    ...(pastStop !== undefined && { pastStop: true }),
  };
};
