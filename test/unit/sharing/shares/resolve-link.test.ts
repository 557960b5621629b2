import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import {
  type EmbedTokenRecord,
  embedTokens,
  linkResolver,
  newLinkToken,
  type ShareRecord,
  shareRepository,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = '2100-01-01T00:00:00.000Z';
const workspaceId = newId();
const companyId = newId();

function newShare(validUntil: string | null): { token: string; share: ShareRecord } {
  const { token, digest, prefix } = newLinkToken('share');
  const share: ShareRecord = {
    id: newId(),
    workspaceId,
    companyId,
    contentType: 'dashboard',
    contentId: newId(),
    shareType: 'public',
    rlsContext: null,
    tokenPrefix: prefix,
    tokenDigest: digest,
    passwordHash: null,
    allowExport: false,
    preview: 'title',
    allowAi: false,
    aiRatePerHour: 20,
    validUntil,
    createdBy: newId(),
    updatedBy: newId(),
    createdAt: PAST,
    updatedAt: PAST,
    revision: 1,
  };
  return { token, share };
}

function newEmbedToken(validUntil: string): { token: string; digest: string; record: EmbedTokenRecord } {
  const { token, digest } = newLinkToken('embed');
  const record: EmbedTokenRecord = {
    id: newId(),
    workspaceId,
    companyId,
    contentType: 'dashboard',
    contentId: newId(),
    attributes: {},
    lockedFilters: [],
    allowExport: false,
    allowAi: false,
    creator: { userId: newId(), membershipId: newId() },
    createdAt: PAST,
    validUntil,
  };
  return { token, digest, record };
}

/** What the table is asked for: the operation, and how many items. */
function recorded(table: Table): [string, number][] {
  const reads: [string, number][] = [];
  table.db.middlewareStack.add(
    (next, { commandName = '' }) =>
      (request) => {
        const { RequestItems } = request.input as { RequestItems?: Record<string, { Keys: unknown[] }> };
        reads.push([commandName, RequestItems?.[table.name]?.Keys.length ?? 1]);
        return next(request);
      },
    { step: 'initialize' },
  );
  return reads;
}

it('links that are unknown, expired or deleted cost the same reads in the same order, so their times reveal nothing', async () => {
  const table = local.open();
  const [shares, tokens] = [shareRepository(table), embedTokens(table)];
  await table.db.send(new PutCommand({ TableName: table.name, Item: workspaceKey(workspaceId, 'META', 'META') }));
  const [open, expired, removed] = [newShare(FUTURE), newShare(PAST), newShare(null)];
  for (const { share } of [open, expired, removed]) await shares.create(share);
  await shares.remove(removed.share);
  const [ended, revoked] = [newEmbedToken(PAST), newEmbedToken(FUTURE)];
  for (const { record, digest } of [ended, revoked]) await tokens.create(record, digest);
  await tokens.revoke(revoked.record);

  const reading = local.open();
  const resolve = linkResolver(reading);
  const reads = recorded(reading);
  const readsOf = async (token: string) => {
    reads.length = 0;
    const outcome = await resolve(token).then(
      ({ id }) => id,
      ({ code }: { code: string }) => code,
    );
    return { outcome, reads: [...reads] };
  };
  expect((await readsOf(open.token)).outcome).toBe(open.share.id);
  const unknown = await readsOf(newLinkToken('share').token);
  expect(unknown.outcome).toBe('SHARE_NOT_FOUND');
  expect(unknown.reads.map(([, items]) => items)).toEqual([1, 2]);
  const others = [newLinkToken('embed'), expired, removed, ended, revoked];
  for (const { token } of others) expect(await readsOf(token)).toEqual(unknown);
  expect((await readsOf(open.token)).reads).toEqual(unknown.reads);
});
