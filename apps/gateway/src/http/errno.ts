export { errnoOf } from '@fleet/untrusted-files';
