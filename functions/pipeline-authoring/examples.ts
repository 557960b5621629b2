export const authoringExamples = {
  getPipelineLineage: {},
  previewTransform: {},
  suggestOps: {},
};
export const flowletExamples = {
  saveFlowlet: {},
  listFlowlets: {},
  getFlowlet: {},
  listFlowletVersions: {},
  retireFlowlet: {},
  instantiateFlowlet: {},
};
