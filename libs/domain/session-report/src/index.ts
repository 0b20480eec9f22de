/** What people read about a session: event lines, cycles, trends. Pure text from records; needs neither the rule book nor any package. */
export { formatEvent, isShown } from './format-event';
export { commandText, formatCycle, isSimulated, pathBelow, programTime } from './format-cycle';
export { metricEvents, metricsSentence, type MakeEvent } from './metric-events';
export { metricLabel, metricsViewSchema, metricText, type MetricDefinitions, type MetricsView } from './metric-text';
export { metricTrend, type MetricTrend, type TrendDirection } from './metric-trend';
export { qualityWord, type QualityWord } from './quality-word';
export { byOrder, resolutionOf, resultOrders, type ResultOrder } from './hit-order';
export { durationText } from './duration-text';
export { explainedOutcome, outcomeOf, outcomesOfReason, outcomeTexts } from './outcome';
export {
  composedRow,
  headOf,
  labelsOf,
  progressOf,
  rowOf,
  waitingDecisionOf,
  type KeptStop,
  type RowLabels,
} from './session-row';
export { toWallNews, toWallRow } from './wall-row';
export { adviceReadEvent } from './advice-event';
export { isAnswered } from './assessment-answer';
export { spentText } from './spent-text';
export { adviceText, guidanceSentences, readingLines } from './advice-text';
export { counted, markdownCell, markdownCode, plainLine, plainLines, shownText } from './plain-text';
export { heldText, maintenanceSentence, maintenanceSpan } from './maintenance-text';
export { fileUseText } from './file-use-text';
export { forkText } from './fork-text';
export { similarSentence } from './similar-sentence';
export { standingText } from './standing-text';
export { waitingDecisionText, waitingReason } from './waiting-decision-text';
export { digestOf, type Digest } from './digest';
export { messageOf, noticesOf, type NoticedSubject } from './notices';
export { turnFailureTexts, type TurnFailureText } from './turn-failures';
