import { InvokeCommand } from '@aws-sdk/client-lambda';
import { onTestFinished } from 'vitest';
import { operatorClients } from '../../../infra/operator.ts';
import type { TargetMessage } from '../../../shared/domains/delivery/deliveries/index.ts';
import type { Api } from '../api.ts';
import { openReceiver, type Receiver } from '../receiver.ts';
import { allowDomains } from './schedules.ts';

/** A receiver at a host that is a delivery domain of the workspace. */
export async function givenReceiver(api: Api, ...statuses: number[]): Promise<Receiver> {
  await allowDomains(api, ['127.0.0.1']);
  const receiver = await openReceiver();
  if (statuses.length > 0) receiver.answer(...statuses);
  onTestFinished(() => receiver.close());
  return receiver;
}

/** Lets the deployed worker of targets handle a message, as the queue delivers it. */
export async function workOnTargets(api: Api, message: Omit<TargetMessage, 'workspaceId'>): Promise<void> {
  const { lambda } = operatorClients(api.endpoint);
  const body = JSON.stringify({ ...message, workspaceId: api.workspaceId });
  const Payload = JSON.stringify({ Records: [{ messageId: '1', body }] });
  const reply = await lambda.send(new InvokeCommand({ FunctionName: 'AnalyticsRuntime-send-to-targets', Payload }));
  const text = Buffer.from(reply.Payload ?? []).toString();
  if (reply.FunctionError || JSON.parse(text).batchItemFailures.length > 0) throw new Error(text);
}
