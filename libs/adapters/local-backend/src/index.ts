/** ExecutionBackend over processes of this computer. */
export { LocalBackend, type LocalBackendOptions } from './local-backend';
