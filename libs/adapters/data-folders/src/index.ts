/** The folders of a facility's data, as the principals of this service may read them. */
export { ReadableFolders } from './readable-folders';
