export { MakeWebhook, type MakingPorts } from './make-webhook';
export { TellWebhook } from './tell-webhook';
export { TestWebhook } from './test-webhook';
