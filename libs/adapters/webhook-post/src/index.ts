export { AllowedAddresses } from './allowed-addresses';
export { mailPatience, type MailOptions } from './mail-options';
export { MailPost } from './mail-post';
export { resolveEndpoint, sendMessage, type ResolvedEndpoint } from './send-message';
export { patience, WEBHOOK_OPTIONS, type WebhookOptions } from './webhook-options';
export { WebhookPost } from './webhook-post';
