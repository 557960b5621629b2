export const examples = {
  createSavedQuery: {},
  listSavedQueries: {},
  getSavedQuery: {},
  updateSavedQuery: {},
  deleteSavedQuery: {},
  runSavedQuery: {},
  listSavedQueryVersions: {},
  getSavedQueryVersion: {},
  restoreSavedQueryVersion: {},
};
