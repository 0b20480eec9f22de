/** ExecutionBackend that runs programs as local processes. */
export { LocalBackend, type LocalBackendOptions } from './local-backend';
