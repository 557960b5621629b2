import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { manifestKey } from './manifests.ts';

interface VersionPlace {
  workspaceId: string;
  datasetId: string;
  version: number;
}

/** Keeps a version from expiring until `holder` gives it up. Fails the transaction if it has expired. */
export const pinVersionItem = (table: Table, place: VersionPlace, holder: string): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: keyOf(place),
    UpdateExpression: 'ADD pinnedBy :holder',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(expiredAt)',
    ExpressionAttributeValues: { ':holder': new Set([holder]) },
  },
});

/** May be repeated. Fails the transaction if the version does not exist any more. */
export const unpinVersionItem = (table: Table, place: VersionPlace, holder: string): TransactItem => ({
  Update: {
    TableName: table.name,
    Key: keyOf(place),
    UpdateExpression: 'DELETE pinnedBy :holder',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':holder': new Set([holder]) },
  },
});

const keyOf = ({ workspaceId, datasetId, version }: VersionPlace) => manifestKey(workspaceId, datasetId, version);
