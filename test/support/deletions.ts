import { InvokeCommand } from '@aws-sdk/client-lambda';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { operatorClients } from '../../infra/operator.ts';
import { companyKey } from '../../shared/platform/storage/keys.ts';
import { updateOf } from '../../shared/platform/storage/update.ts';
import type { Api } from './api.ts';

/** Puts the end of a grace period into the past, as if it had passed. */
export async function endGrace(api: Api, workspaceId: string | null): Promise<void> {
  const key = companyKey(api.companyId, `DELETION#${workspaceId ?? 'COMPANY'}`);
  const past = '2026-01-01T00:00:00.000Z';
  await api.table.db.send(
    new UpdateCommand(updateOf(api.table, key, { set: { deletesAt: past, dueAt: past } }, { exists: ['pk'] })),
  );
}

/** Runs the deployed function that the minute runs. */
export async function eraseNow(api: Api): Promise<void> {
  const { lambda } = operatorClients(api.endpoint);
  const reply = await lambda.send(new InvokeCommand({ FunctionName: 'AnalyticsRuntime-erase-deleted' }));
  if (reply.FunctionError) throw new Error(Buffer.from(reply.Payload ?? []).toString());
}
