export { CreateKey, type KeyPorts } from './create-key';
export { isSameHash, newKeyText, readKeyText, type ShownKey } from './key-text';
export { RevokeKey } from './revoke-key';
