/** The agent's view of a session's files: categories, best files, the R-free lock. Pure; files are read in libs/adapters/file-inspection. */
export { categorise, type CategorisedFiles } from './categorise';
export { categoryReasons, type CategoryReason } from './category-reasons';
export {
  bestFiles,
  rankFiles,
  submittedModel,
  type BestFilesInput,
  type ScorePart,
  type ScoredFile,
} from './best-files';
export { lineageOf } from './lineage';
export { geometryFaults, type GeometryFault, type GeometryRules } from './geometry-faults';
export { judgedCycles, type JudgedCycles } from './judged-cycles';
export { type SubmittedValue } from './submitted-model';
export { ligandEvidence, type LigandEvidence, type LigandTrial } from './ligand-evidence';
export { keptBeside, type KeptBeside } from './kept-beside';
export { searchPlan, type SearchMeans, type SearchPlan } from './search/search-plan';
export { isFinding } from './search/placement-trials';
export { plainGroup } from './search/space-groups';
export { lockedFreeFlagData } from './free-flag-lock';
export { isObservation } from './descendants';
export { emptyColumns } from './empty-columns';
export { freeColumns, freeSetFor, isFreeSetApart, otherCrystal } from './free-set-apart';
export { comparedFreeSets, isSameFreeSet } from './free-set';
export { companionsAmong } from './companions';
export { contentDigests, type ContentDigests } from './content-digests';
export { commandFiles, type CommandFile } from './command-files';
export { compressedEnding, inputName } from './input-names';
export { fileUses, type FileUsesInput, type SlotChoice } from './file-uses';
export { nucleicAcidsOf } from './nucleic-acids';
export { sequenceContent, type SequenceContent } from './sequence-content';
export { isMask } from './masks';
export { isModel } from './descendants';
export { movedCycles, movedFiles } from './moved-files';
export { carriedFiles, forkedWork, type CarriedFile } from './forked-work';
export { sessionFiles, succeededCycles, type SucceededCycle } from './session-files';
export { factsOfFiles } from './facts-of-file';
export { baseName, isMeant, isSaid, matchesGlob, meantAmong, saidOf, stemOf } from './name-glob';
export { usedSessions } from './used-sessions';
