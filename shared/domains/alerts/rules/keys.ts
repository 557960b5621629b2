import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';

interface AlertPlace {
  workspaceId: string;
  alertId: string;
}

/** The states for one class of row rights. */
export const stateKey = ({ workspaceId, alertId }: AlertPlace, classKey: string): Key =>
  workspaceKey(workspaceId, `ALERT-STATE#${alertId}`, classKey);

/** What an evaluation for one class found, by its instant. */
export const historyKey = ({ workspaceId, alertId }: AlertPlace, classKey: string, at: string): Key =>
  workspaceKey(workspaceId, `ALERT-HISTORY#${alertId}`, `${classKey}#${at}`);

/** What people were notified of, with its values. */
export const noticeKey = ({ workspaceId, alertId }: AlertPlace, noticeId: string): Key =>
  workspaceKey(workspaceId, `ALERT-NOTICE#${alertId}`, noticeId);

/** What targets of the rule get, in the area of deliveries. */
export const ALERT_REQUESTS = { name: 'alert', area: 'ALERT-REQUEST' } as const;

/** When the rule was last evaluated after a new version, or is to be. */
export const refreshKey = ({ workspaceId, alertId }: AlertPlace): Key =>
  workspaceKey(workspaceId, `ALERT-REFRESH#${alertId}`, 'LAST');

const SHARDS = 4;
/** Partitions of the due index with the snoozes of persons, which end with a summary. */
export const SNOOZE_PARTITIONS = Array.from({ length: SHARDS }, (_, shard) => `alert-snooze#${shard}`);
export const snoozePartition = (alertId: string): string =>
  SNOOZE_PARTITIONS[Number.parseInt(alertId.slice(-2), 16) % SHARDS]!;

/** The rule and the person of an item that is due. */
export function snoozeOfItem({ pk, sk }: Key): AlertPlace & { userId: string } {
  const [, workspaceId, , alertId] = pk.split('#') as [string, string, string, string];
  return { workspaceId, alertId, userId: sk };
}

/** Until when a person hears nothing of the rule, and what happened meanwhile. */
export const snoozeKey = ({ workspaceId, alertId }: AlertPlace, userId: string): Key =>
  workspaceKey(workspaceId, `ALERT-SNOOZE#${alertId}`, userId);
