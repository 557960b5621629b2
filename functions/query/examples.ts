export const examples = {
  runQuery: {},
  validateQuery: {},
  startQueryJob: {},
  getQueryJob: {},
  getQueryJobResult: {},
  cancelQueryJob: {},
};
