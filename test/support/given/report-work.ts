import { InvokeCommand } from '@aws-sdk/client-lambda';
import { operatorClients } from '../../../infra/operator.ts';
import type { ReportMessage } from '../../../shared/domains/delivery/deliveries/index.ts';
import type { Api } from '../api.ts';

/** Lets the deployed worker of reports handle a message, as the queue delivers it. */
export async function workOnReports(api: Api, message: ReportMessage): Promise<void> {
  const { lambda } = operatorClients(api.endpoint);
  const Payload = JSON.stringify({ Records: [{ messageId: '1', body: JSON.stringify(message) }] });
  const reply = await lambda.send(new InvokeCommand({ FunctionName: 'AnalyticsRuntime-send-reports', Payload }));
  if (reply.FunctionError) throw new Error(Buffer.from(reply.Payload ?? []).toString());
}
