import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { VectorState } from '../../../shared/domains/catalog/meaning/index.ts';
import { workspaceKey } from '../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../shared/platform/storage/update.ts';
import type { Actor, Api } from '../api.ts';
import { dataBucket } from './bucket.ts';

/** For a search of words alone. */
export const NO_MEANING = {
  meaningOf: async () => ({ meaningIn: () => 'off' as const, complete: async () => undefined }),
  vectorOf: async () => 'error' as const,
};

/** A person may search sixty times a minute. A late vector serves the next search for the same. */
export const PATIENTLY = { timeout: 90_000, interval: 1_500 };

export async function searchByMeaning(api: Api, isOn: boolean): Promise<void> {
  const reply = await api.as('owner').patch('/api/workspaces/current', { searchByMeaning: isOn });
  expect(reply).toMatchObject({ status: 200, body: { searchByMeaning: isOn } });
}

export async function found(api: Api, who: Actor | { token: string }, q: string, more = '') {
  const reply = await api.as(who).get(`/api/search?q=${encodeURIComponent(q)}${more}`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}

/** Waits until searches find by meaning. */
export const hybrid = (api: Api, who: Actor | { token: string }, q: string) =>
  expect.poll(async () => found(api, who, q), PATIENTLY);

const stateKey = (api: Api) => workspaceKey(api.workspaceId, 'SEARCH-VECTORS', 'STATE');

export const vectorState = async (api: Api) => (await api.stored(stateKey(api))) as VectorState | undefined;

/** As if it had been stored so. */
export async function setVectorState(api: Api, set: Partial<VectorState>): Promise<void> {
  await api.table.db.send(new UpdateCommand(updateOf(api.table, stateKey(api), { set })));
}

export const vectorPrefix = (api: Api): string => `W/${api.workspaceId}/search/`;

/** The objects with vectors of a workspace, and their sizes. */
export async function vectorObjects(api: Api): Promise<{ key: string; bytes: number }[]> {
  const { s3, name: Bucket } = await dataBucket(api.endpoint);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: vectorPrefix(api) }));
  return Contents.map(({ Key, Size }) => ({ key: Key!, bytes: Size! }));
}
