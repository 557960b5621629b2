import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../../../shared/platform/audit/actions.ts';
import { ROUTES, SCIM_ROUTES } from '../../../support/samples.ts';

/** Operations that change something but are no acts for an auditor, with the reason. */
const NOT_AUDITED: Record<string, string> = {
  abortUpload: 'the upload is logged when its URL is issued',
  completeUpload: 'the upload is logged when its URL is issued',
  startPasskey: 'stores a challenge alone',
  startPasskeySignIn: 'stores a challenge alone',
  startPasskeyFactor: 'stores a challenge alone',
  discoverSignIn: 'stores nothing',
  testIdentityProvider: 'stores nothing',
  syncDataSource: 'the job is in the history of the source, with its user',
  testDataSource: 'stores nothing',
  testNewDataSource: 'stores nothing',
  refreshDataset: 'the job is in the history of the dataset, with its user',
  cancelDatasetRefresh: 'the job is in the history of the dataset',
  validateQuery: 'stores nothing',
  startQueryJob: 'its rows are logged when they leave as a file',
  cancelQueryJob: 'stores nothing but the end of the job',
  cancelWorkspaceExport: 'stores nothing but the end of the job',
  validatePipeline: 'stores nothing',
  previewTransform: 'stores nothing',
  suggestOps: 'stores nothing',
  instantiateFlowlet: 'stores nothing',
  followObject: 'what a person wants to be notified of',
  unsubscribeFromNotifications: 'what a person wants to be notified of',
  createDashboardBookmark: 'a view of a reader, which changes nothing for others but what they may open first',
  updateDashboardBookmark: 'a view of a reader',
  deleteDashboardBookmark: 'a view of a reader',
  readDashboardCard: 'stores nothing',
  readDashboardCards: 'stores nothing',
  streamDashboardCards: 'stores nothing',
  readDashboardFilterValues: 'stores nothing',
  drawDashboardCard: 'stores nothing',
  readReportBlock: 'stores nothing',
  addStorySection: 'in the activity of the story, with its author',
  deleteStorySection: 'in the activity of the story; the text is kept',
  updateStorySection: 'in the activity of the story; replaced texts are kept',
  reorderStorySections: 'in the activity of the story',
  updateStorySectionWork: 'in the activity of the story',
  setStorySectionEditors: 'in the activity of the story',
  setStorySectionReadOnly: 'in the activity of the story',
  lockStorySection: 'a lock ends by itself',
  reportStoryPresence: 'counts the reading of a reader',
  followStory: 'a choice of a reader',
  unfollowStory: 'a choice of a reader',
  drawSharedCard: 'stores nothing',
  unlockSharePage: 'counts a view alone',
  askModel: 'stores nothing',
  openSharedContent: 'counts a view of a reader without a sign-in',
  readSharedCard: 'stores nothing',
  readSharedModelCard: 'stores nothing',
  readSharedBlock: 'stores nothing',
  downloadSharedCard: 'counts a download of a reader without a sign-in',
  askShared: 'counts a question of a reader without a sign-in',
  recordSharedEvents: 'counts what readers without a sign-in do',
  compileQuestion: 'stores nothing',
  drillModel: 'stores nothing',
  previewModelTable: 'stores nothing',
  previewAccess: 'stores nothing',
  validateMeasure: 'stores nothing',
  validateExpression: 'stores nothing',
  previewMeasure: 'stores nothing',
  suggestMeasure: 'stores nothing',
  suggestRelationships: 'stores nothing',
  detectRelationships: 'stores nothing',
  runPipeline: 'the run is in the run history, with its user',
  retryRun: 'the run is in the run history',
  cancelRun: 'the run is in the run history',
  startBackfill: 'the backfill is in the run history, with its user',
  cancelBackfill: 'the backfill is in the run history',
  runByWebhook: 'the call is in the trigger history of the pipeline',
  scimSearch: 'stores nothing',
  scimSearchUsers: 'stores nothing',
  scimSearchGroups: 'stores nothing',
  forgotPassword: 'the account is looked up by the worker; the reset itself is logged',
  runQualityTest: 'the run is in the list of runs of the test',
  startQualityScan: 'the scan is in the list of scans',
  scanKnownTables: 'the scans are in the list of scans',
  storeFailingRows: 'the rows are a version of a dataset, whose origin is the job',
  runAllQualityTests: 'the runs are in the lists of runs of the tests',
  testWebhook: 'the delivery is in the log of deliveries',
  redeliverDelivery: 'the delivery is in the log of deliveries',
  replayDeliveries: 'the deliveries are in the log of deliveries',
};

describe('the audit log', () => {
  it('has an action for every operation that changes something, or there is a reason why not', () => {
    const silent = [...ROUTES, ...SCIM_ROUTES].filter(({ method, audit }) => method !== 'GET' && audit === undefined);
    expect(silent.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(NOT_AUDITED).sort());
  });

  it('has no action that no operation declares', () => {
    const declared = new Set([...ROUTES, ...SCIM_ROUTES].flatMap(({ audit = [] }) => audit));
    expect(AUDIT_ACTIONS.filter((action) => !declared.has(action))).toEqual([]);
  });
});
