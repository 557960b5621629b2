/** The public API of this domain; everything else is internal. */
export { type ColumnParsers, findColumnIssues } from './column-issues.ts';
export { type CompiledStep, compileStep } from './compile-step.ts';
export {
  bytesOf,
  COMPUTE_SIZES,
  type ComputeSize,
  chooseCompute,
  DEFAULT_COMPUTE,
  DEFAULT_SIZE,
  distinctOutputs,
  type ExtraEngine,
  extraEngines,
  isSameCompute,
  type StepCompute,
} from './compute.ts';
export {
  type DatasetConfig,
  datasetReadBy,
  EXTRACT_CONFIGS,
  type ExtractConfig,
  type Incremental,
  readsArrivedFiles,
  readsDataset,
  readsStream,
  type StreamConfig,
} from './configs/extract.ts';
export { Gate, GateList, gatesOf, testOf } from './configs/gates.ts';
export {
  type AnyLoadConfig,
  isFolderPath,
  LOAD_CONFIGS,
  type LoadConfig,
  type LoadFilesConfig,
  type LoadTableConfig,
} from './configs/load.ts';
export { portsOf, RouteConfig } from './configs/route.ts';
export { TransformCodeConfig } from './configs/transform-code.ts';
export { recipeOf, TRANSFORM_SQL_CONFIGS } from './configs/transform-sql.ts';
export {
  Concurrency,
  Dag,
  dependenciesOf,
  ForEach,
  STEP_TYPES,
  Step,
  type StepType,
  TRIGGERS,
  Trigger,
} from './dag.ts';
export { findDagIssues, shapeIssuesOf } from './dag-issues.ts';
export { type Describe, dagLineage, type StepLineage } from './dag-lineage.ts';
export { findDatasetIssues } from './dataset-issues.ts';
export { expandFlowlets } from './expand-flowlets.ts';
export { atLeastOnceLoads, loadsDownstreamOf } from './extract-loads.ts';
export {
  FILE_BATCH_HEAD,
  type FileWatch,
  fileBatchKey,
  fileTriggerOf,
  fileWatchItems,
  watchCondition,
  watchesOf,
} from './file-watches.ts';
export { fullRefreshIssues, isRefreshed } from './full-refresh.ts';
export { fusionOf, materializeOf, WRITTEN_REASONS, type WrittenReason } from './fusion.ts';
export { nodeInputs } from './node-inputs.ts';
export { resolveParameters } from './parameters.ts';
export { copyPlaceOf, pipelineCopy } from './pipeline-copy.ts';
export {
  itemsOf,
  type Node,
  PLAN_VERSION,
  type Plan,
  planRun,
  type SkipReason,
  type Successor,
  successorOf,
} from './plan.ts';
export { athenaStep, isShared, type PortableStep } from './portable-step.ts';
export { readablePart, withoutConsequences } from './readable-part.ts';
export { type FileRead, filesOfDag, isTemplate, readsOfDag } from './reads-of-dag.ts';
export { fillTemplate, type ParameterValue, type ReferenceValues, sampleValues } from './references.ts';
export { isRetriedAfterCrash, retryDelayMs, retryOf, type StepErrorCode } from './retry.ts';
export { secretNamesOf, secretsOf, unknownSecret } from './secret-references.ts';
export { type ExtractColumns, findExtractColumns, type SourceColumnReaders } from './source-columns.ts';
export { findSourceIssues, findSources, type SourceChecks } from './source-issues.ts';
export { MAX_REFERENCES, sourcesOf } from './source-references.ts';
export { inputsOf, portOf, timeoutMsOf, timeoutSecondsOf } from './step-configs.ts';
export { type DefinitionChecks, findExpressionIssues, findTextIssues } from './text-check.ts';
export { loadedDatasets, touchedTables } from './touched-tables.ts';
export { type SourceWrites, writesOfDag } from './writes-of-dag.ts';
