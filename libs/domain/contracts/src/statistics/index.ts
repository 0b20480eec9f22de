export {
  solutionPaths,
  statisticsGroupings,
  type SolutionPath,
  type Spread,
  type Statistics,
  type StatisticsGroup,
  type StatisticsGrouping,
} from './statistics';
