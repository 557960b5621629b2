/** The `sourceId` of models on datasets of the workspace; other models query the tables of a data source in place. */
export const DATASETS = 'datasets';
