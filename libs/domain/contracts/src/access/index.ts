export {
  apiKeySchema,
  apiKeysViewSchema,
  apiKeyViewSchema,
  apiKeyRequestSchema,
  everyProposal,
  keyRevocationSchema,
  meViewSchema,
  newApiKeySchema,
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
export { identityViewSchema, logoutViewSchema, type IdentityView, type LogoutView } from './identity';
export { beamlinesAnswerSchema, memberAnswerSchema, proposalsAnswerSchema, type MemberAnswer } from './members';
