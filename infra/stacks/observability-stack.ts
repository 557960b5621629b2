import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { pascalCase } from '../constructs/construct-paths.ts';
import type { RuntimeStack } from './runtime-stack.ts';

/**
 * The dashboard and the alarms of an operator. Each alarm means that a person must act. Ten of their metrics are free
 * of charge.
 */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & { runtime: RuntimeStack }) {
    super(scope, id, props);
    const { runtime } = props;
    const period = Duration.minutes(5);

    this.#alarm(
      'ApiFaults',
      'The API replies with server errors.',
      runtime.api.metricServerError({ period, statistic: 'Sum' }),
      5,
    );
    for (const [name, queue] of Object.entries(runtime.deadLetterQueues)) {
      this.#alarm(
        `${name}DeadLetters`,
        `The dead-letter queue of ${name} has messages.`,
        queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
        1,
      );
    }
    for (const [name, machine] of Object.entries(runtime.machines)) {
      this.#alarm(
        `${pascalCase(name)}MachineFailures`,
        `Executions of the ${name} machine fail.`,
        machine.metricFailed({ period, statistic: 'Sum' }),
        1,
      );
    }
    for (const [name, functions] of Object.entries(runtime.alarmedFunctions)) {
      const errors = functions.map((each) => each.metricErrors({ period, statistic: 'Sum' }));
      this.#alarm(`${pascalCase(name)}Errors`, `The function ${name} fails.`, sumOf(errors, period), 3);
    }

    const dashboard = new Dashboard(this, 'Dashboard', { dashboardName: `${this.stackName}` });
    dashboard.addWidgets(
      new GraphWidget({
        title: 'API: calls and errors',
        width: 12,
        left: [runtime.api.metricCount({ period })],
        right: [runtime.api.metricServerError({ period }), runtime.api.metricClientError({ period })],
      }),
      new GraphWidget({
        title: 'API: latency',
        width: 12,
        left: ['p50', 'p99'].map((statistic) => runtime.api.metricLatency({ period, statistic })),
      }),
      new GraphWidget({
        title: 'Queues: age of the oldest message',
        width: 12,
        left: Object.values(runtime.queues).map((queue) => queue.metricApproximateAgeOfOldestMessage({ period })),
      }),
      new GraphWidget({
        title: 'Runs and steps',
        width: 12,
        left: Object.values(runtime.machines).flatMap((machine) => [
          machine.metricStarted({ period }),
          machine.metricFailed({ period }),
        ]),
      }),
    );
  }

  #alarm(id: string, alarmDescription: string, metric: IMetric, threshold: number): void {
    new Alarm(this, id, {
      alarmDescription,
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

function sumOf(metrics: readonly Metric[], period: Duration): IMetric {
  const [only, ...others] = metrics;
  if (only && others.length === 0) return only;
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ expression: Object.keys(usingMetrics).join(' + '), usingMetrics, period });
}
