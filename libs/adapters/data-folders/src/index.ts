/** A facility's data folders, as far as the principals of this service may read them. */
export { ReadableFolders } from './readable-folders';
