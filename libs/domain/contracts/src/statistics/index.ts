export {
  solutionPaths,
  statisticsGroupings,
  statisticsGroupSchema,
  statisticsSchema,
  type SolutionPath,
  type Spread,
  type Statistics,
  type StatisticsGroup,
  type StatisticsGrouping,
} from './statistics';
