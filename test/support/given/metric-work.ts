import { InvokeCommand } from '@aws-sdk/client-lambda';
import { operatorClients } from '../../../infra/operator.ts';
import type { MetricMessage } from '../../../shared/domains/metric-reports/index.ts';
import type { Api } from '../api.ts';

/** Lets the deployed worker of metrics handle a message, as the queue delivers it. */
export async function workOnMetrics(api: Api, message: MetricMessage): Promise<void> {
  const { lambda } = operatorClients(api.endpoint);
  const Payload = JSON.stringify({ Records: [{ messageId: '1', body: JSON.stringify(message) }] });
  const reply = await lambda.send(new InvokeCommand({ FunctionName: 'AnalyticsRuntime-report-metrics', Payload }));
  if (reply.FunctionError) throw new Error(Buffer.from(reply.Payload ?? []).toString());
}
