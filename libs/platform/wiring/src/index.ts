/**
 * Providers for classes that are independent of Nest: their dependencies are listed once, where a module names its
 * tokens.
 */
export { provided, providedObject, providedWith } from './provided';
