import type { EventData, EventName } from '../../../../shared/domains/events/events/index.ts';
import type { ChatContent } from '../../../../shared/platform/text/chat-message.ts';
import { linkTo, type Markup, markup, markupLines } from '../../../../shared/platform/text/chat-text.ts';
import { numberText } from '../../../../shared/platform/text/number-text.ts';
import { changePercentText } from '../../../../shared/platform/text/percent-text.ts';

/** The content of a chat message about an event. */
export type ChatSummary = Omit<ChatContent, 'about' | 'fields'> & Required<Pick<ChatContent, 'fields'>>;

const OPERATORS = new Map([
  ['gt', 'above'],
  ['gte', 'at least'],
  ['lt', 'below'],
  ['lte', 'at most'],
  ['eq', 'equal to'],
  ['ne', 'other than'],
]);
const PACE = {
  ahead: 'ahead of target',
  on_track: 'on track to target',
  behind: 'behind target',
  no_target: 'no target',
};
const PRODUCTS = { pipelines: 'Pipelines', warehouse: 'Warehouse' };
const MEASURES = { execution_seconds: 'seconds of execution', storage_bytes: 'bytes of storage' };
const DISABLED = {
  failing: 'no delivery has succeeded for days',
  gone: 'its receiver answered 410 Gone',
  blocked: 'its address is not allowed',
};

type Fields = ChatSummary['fields'];

/** A timestamp to the minute: `2026-11-21 10:15 UTC`. */
export const minute = (timestamp: string | null) =>
  timestamp === null ? null : `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;

const percent = (ratio: number) => changePercentText(ratio * 100);

const failure = ({ code, message }: { code: string; message: string }): Fields => [
  ['Error', code],
  ['Message', message],
];

function metricLine(metric: EventData<'digest.sent'>['metrics'][number]): Markup {
  const { metricName, displayValue, change, target, displayTarget, paceStatus } = metric;
  const changed = change === null ? markup`` : markup` (${percent(change)})`;
  const against = target === null ? markup`` : markup` ${displayTarget ?? target}`;
  return markup`*${metricName}*: ${displayValue}${changed}, ${PACE[paceStatus]}${against}`;
}

const access = (data: EventData<'access.granted'> | EventData<'access.revoked'>): Fields => [
  ['Permission', data.permission],
  [data.granteeType === 'group' ? 'Group' : 'User', data.granteeId],
  ['Resource', `${data.resourceType} ${data.resourceId}`],
];

/** The summary of each event. */
export const SUMMARIES: { [N in EventName]: (data: EventData<N>) => ChatSummary } = {
  'alert.fired': (data) => ({
    headline: markup`Alert *${data.alertName}* ${data.state === 'ok' ? 'is back to normal' : 'was triggered'}`,
    fields: [
      ['Metric', data.metricName],
      ['Value', data.value],
      [
        'Threshold',
        `${OPERATORS.get(data.operator) ?? data.operator} ${data.threshold.map((bound) => numberText(bound)).join(' and ')}`,
      ],
    ],
  }),
  'digest.sent': (data) => ({
    headline: markup`Digest *${data.digestName}*`,
    lines: data.metrics.map(metricLine),
    fields: [
      ['From', minute(data.periodStart)],
      ['To', minute(data.periodEnd)],
    ],
  }),
  'metric.anomaly_detected': (data) => ({
    headline: markup`Metric *${data.metricName}* is unusually ${data.direction === 'above' ? 'high' : 'low'}`,
    fields: [
      ['Value', data.displayValue ?? data.value],
      ['Usual', data.displayExpected ?? `${numberText(data.expectedLow)} to ${numberText(data.expectedHigh)}`],
      // In UTC, a month of Berlin begins on the last day of the one before.
      data.displayPeriod === undefined
        ? [`The ${data.grain} of`, minute(data.periodStart)]
        : ['Period', data.displayPeriod],
    ],
  }),

  'quality.issue_opened': (data) => ({
    headline: markup`*${data.title}* on *${data.tableName}* ${data.reopenedCount > 0 ? 'fails again' : 'fails'}`,
    fields: [
      ['Severity', data.severity],
      ['Kind', data.issueType.replaceAll('_', ' ')],
    ],
  }),
  'quality.issue_resolved': (data) => ({
    headline: markup`*${data.title}* on *${data.tableName}* is fixed`,
    fields: [
      ['Severity', data.severity],
      ['By', data.resolvedBy],
    ],
  }),

  'model.created': (data) => ({
    headline: markup`Data model *${data.modelName}* was created`,
    fields: [['By', data.createdBy]],
  }),
  'model.published': (data) => ({
    headline: markup`Data model *${data.modelName}* was published`,
    fields: [
      ['Version', data.version],
      ['By', data.publishedBy],
    ],
  }),
  'dashboard.created': (data) => ({
    headline: markup`Dashboard *${data.dashboardName}* was created`,
    fields: [['By', data.createdBy]],
  }),
  'dashboard.published': (data) => ({
    headline: markup`Dashboard *${data.dashboardName}* was published`,
    fields: [['By', data.publishedBy]],
  }),
  'dashboard.deleted': (data) => ({
    headline: markup`Dashboard *${data.dashboardName}* was deleted`,
    fields: [['By', data.deletedBy]],
  }),
  'report.deleted': (data) => ({
    headline: markup`Report *${data.reportName}* was deleted`,
    fields: [['By', data.deletedBy]],
  }),
  'report.delivered': (data) => ({
    headline: markup`Report *${data.reportName}* ${data.status === 'failed' ? 'could not be delivered' : 'was delivered'}`,
    fields: [
      ['Recipients', data.recipientCount],
      ['Failed', data.failedRecipientCount],
      ['Scheduled for', minute(data.scheduledFor)],
    ],
  }),
  'access.granted': (data) => ({
    headline: markup`Access to *${data.resourceName}* was granted`,
    fields: access(data),
  }),
  'access.revoked': (data) => ({
    headline: markup`Access to *${data.resourceName}* was revoked`,
    fields: access(data),
  }),

  'pipeline.run_failed': (data) => ({
    headline: markup`A run of pipeline *${data.pipelineName}* failed`,
    fields: [
      ...(data.error ? failure(data.error) : []),
      ['Step', data.error?.stepId],
      ['Attempt', data.attempt],
      ['Trigger', data.trigger.kind],
      ['Run', data.runId],
    ],
  }),
  'source.sync_failed': (data) => ({
    headline: markup`Refreshing *${data.datasetName ?? data.sourceName}* failed`,
    fields: [
      ...failure(data.error),
      ['Source', data.sourceName],
      ['Dataset', data.datasetName],
      ['Scheduled for', minute(data.scheduledFor)],
    ],
  }),
  'usage.budget_exceeded': (data) => ({
    headline: markup`${PRODUCTS[data.product]} used up the budget of ${data.month}`,
    fields: [
      ['Used', `${numberText(data.used)} ${MEASURES[data.measure]}`],
      ['Budget', `${numberText(data.budget)} ${MEASURES[data.measure]}`],
      ['When exceeded', data.hardCap ? 'execution stops' : 'usage continues at extra cost'],
    ],
  }),
  'compute.queue_stuck': (data) => ({
    headline: markup`Runs of ${data.pipelineName === null ? 'this workspace' : markup`pipeline *${data.pipelineName}*`} are stuck`,
    fields: [
      ['Waiting runs', data.waitingRuns],
      ['Since', minute(data.waitingSince)],
    ],
  }),
  'compute.vm_unreachable': (data) => ({
    headline: markup`A worker stopped responding`,
    fields: [
      ['Pipeline', data.pipelineName],
      ['Run', data.runId],
      ['Step', data.stepId],
      ['Last seen', minute(data.lastSeenAt)],
    ],
  }),
  'compute.provision_failing': (data) => ({
    headline: markup`Workers cannot be started`,
    fields: [
      ...failure(data.error),
      ['Pipeline', data.pipelineName],
      ['Size', data.size],
      ['Since', minute(data.failingSince)],
    ],
  }),

  'cdc.stream_failing': (data) => ({
    headline: markup`CDC stream *${data.streamId}* needs attention`,
    fields: [
      ...failure(data.error),
      ['Table', data.tableName],
      [
        'Log retained by the source',
        data.retainedWalBytes === null ? null : `${numberText(data.retainedWalBytes)} bytes`,
      ],
    ],
  }),

  'story.shared': ({ sharedByName, storyTitle, summary, note, pageUrl }) => ({
    headline: markup`${sharedByName} shared *${storyTitle}*`,
    lines: [...[summary, note].flatMap((text) => (text ? markupLines(text) : [])), linkTo(pageUrl, 'Open the story')],
    fields: [],
  }),

  'webhook.test': (data) => ({ headline: markup`Webhook test of *${data.webhookName}*`, fields: [] }),
  'webhook.disabled': (data) => ({
    headline: markup`Webhook *${data.webhookName}* was disabled`,
    fields: [['Reason', DISABLED[data.reason]]],
  }),
};
