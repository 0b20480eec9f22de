export {
  apiKeySchema,
  apiKeyRequestSchema,
  everyProposal,
  keyRevocationSchema,
  meViewSchema,
  type ApiKey,
  type ApiKeysView,
  type ApiKeyView,
  type ApiKeyRequest,
  type KeyRevocation,
  type MeView,
  type NewApiKey,
  type OpenAccess,
  type Principal,
} from './access';
export {
  claimedSchema,
  claimMappingSchema,
  claimMappingRequestSchema,
  type Claimed,
  type ClaimMapping,
} from './claims';
export { type IdentityView, type LogoutView } from './identity';
export { beamlinesAnswerSchema, memberAnswerSchema, proposalsAnswerSchema, type MemberAnswer } from './members';
