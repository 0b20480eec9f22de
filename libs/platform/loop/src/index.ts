/** Work that is repeated until a process stops: the one polling loop of the project. */
export { Loop, type Round } from './loop';
