import { ApiError, api } from '../../data/client.ts';
import { MAX_OF_KIND, MAX_READ, recentStart } from './limits.ts';

/** Something that a person may have to look at. */
export interface Concern {
  /** The type and the id of the object that shows more. */
  type: string;
  id: string;
  title: string;
  text: string;
  at: string;
}

const MAX_SOURCES = 10;

/** The failed runs of the last week. */
export async function failedRuns(): Promise<Concern[]> {
  const { items } = await api.runs.listAll({ status: 'failed', from: recentStart(), limit: MAX_OF_KIND });
  return items.map(({ id, pipelineName, error, finishedAt, updatedAt }) => ({
    type: 'run',
    id,
    title: `${pipelineName} failed`,
    text: error?.message ?? 'The run failed.',
    at: finishedAt ?? updatedAt,
  }));
}

/** Open issues of data, the most severe first. */
export async function qualityIssues(): Promise<Concern[]> {
  const { items } = await api.quality.listIssues({ status: 'open', limit: MAX_OF_KIND });
  return items.map(({ id, title, message, tableName, lastSeenAt }) => ({
    type: 'quality_issue',
    id,
    title: `${title} in ${tableName}`,
    text: message ?? 'The data is not as expected.',
    at: lastSeenAt,
  }));
}

const REASONS: Readonly<Record<string, string>> = {
  failing: 'Turned off because its deliveries kept failing.',
  gone: 'Turned off because the receiver replied that it no longer exists.',
  blocked: 'Turned off because its address is blocked.',
};

/** From here on, a webhook is attempted only once a minute. */
const FAILING_FROM = 10;

/** Webhooks that keep failing, or that the platform has turned off. */
export async function failingWebhooks(): Promise<Concern[]> {
  const found: Concern[] = [];
  for await (const webhook of api.webhooks.list({ limit: MAX_READ })) {
    const { id, name, enabled, consecutiveFailures, disabledReason, disabledAt, updatedAt } = webhook;
    const isFailing = enabled && consecutiveFailures >= FAILING_FROM;
    const text = isFailing ? `${consecutiveFailures} attempts in a row have failed.` : REASONS[disabledReason ?? ''];
    if (text)
      found.push({
        type: 'webhook',
        id,
        title: `Webhook ${name}`,
        text,
        at: disabledAt ?? webhook.lastDeliveryAt ?? updatedAt,
      });
    if (found.length === MAX_OF_KIND) break;
  }
  return found;
}

/** Sources with a schedule whose last read of the catalog failed. */
export async function failedSyncs(): Promise<Concern[]> {
  const { items } = await api.dataSources.list({ limit: MAX_READ });
  const scheduled = items.filter(({ schedule }) => schedule !== null).slice(0, MAX_SOURCES);
  const last = await Promise.all(
    scheduled.map(async ({ id, name }) => {
      const { items: history } = await api.dataSources.listHistory(id, { limit: 1 });
      return { id, name, sync: history[0] };
    }),
  );
  return last.flatMap(({ id, name, sync }) =>
    sync?.status === 'failed'
      ? [
          {
            type: 'data_source',
            id,
            title: `${name} could not be read`,
            text: sync.error?.message ?? '',
            at: sync.finishedAt ?? sync.createdAt,
          },
        ]
      : [],
  );
}

/** What the person may read of all of these, newest first. */
export async function readConcerns(): Promise<Concern[]> {
  const read = await Promise.all([failedRuns, qualityIssues, failingWebhooks, failedSyncs].map(allowed));
  return read.flat().sort((one, other) => (one.at < other.at ? 1 : -1));
}

/** A part that is not in the plan, or not for the role of the person, has nothing that they could look at. */
async function allowed(read: () => Promise<Concern[]>): Promise<Concern[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}
