export const examples = {
  getOpenApi: {},
  getReference: {},
  getReferenceViewer: {},
};
