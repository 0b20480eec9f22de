/** Providers of classes that know nothing of Nest: what each is made of is written once, where a module names its tokens. */
export { provided, providedWith } from './provided';
