export const cdcExamples = {
  listCdcStreams: {},
  createCdcStream: {},
  getCdcStream: {},
  updateCdcStream: {},
  resyncCdcStream: {},
  deleteCdcStream: {},
};
export const pipelineExamples = {
  listPipelines: {},
  createPipeline: {},
  getPipeline: {},
  updatePipeline: {},
  deletePipeline: {},
  setPipelineSchedule: {},
  validatePipeline: {},
};
export const pipelineUsageExamples = {
  getPipelineUsage: {},
  getPipelineUsageBreakdown: {},
};
export const qualityExamples = {
  listGateEvaluations: {},
  summarizeGates: {},
};
export const runExamples = {
  runPipeline: {},
  listRuns: {},
  getRun: {},
  listStepRuns: {},
  cancelRun: {},
  retryRun: {},
  getStepLogs: {},
  getWorkersStatus: {},
};
export const triggerExamples = {
  getWebhookTrigger: {},
  runByWebhook: {},
  rotateWebhookToken: {},
  startBackfill: {},
  cancelBackfill: {},
  listTriggers: {},
};
