export { GroupedCalls } from './grouped-calls';
