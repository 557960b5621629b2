import { recorded } from '../resource-type.ts';
import { document, flag, list, map, number, object, required, tags, text } from '../shapes.ts';

/** Metrics and alarms exist only on AWS; here their resources only have to be valid. */
const dimensions = list(object({ Name: required(text), Value: required(text) }));
const metric = object({ Dimensions: dimensions, MetricName: text, Namespace: text });

const alarmActions = {
  ActionsEnabled: flag,
  AlarmActions: list(text),
  AlarmDescription: text,
  AlarmName: text,
  InsufficientDataActions: list(text),
  OKActions: list(text),
  Tags: tags,
} as const;

export const alarm = recorded('AWS::CloudWatch::Alarm', {
  properties: {
    ...alarmActions,
    ComparisonOperator: required(text),
    DatapointsToAlarm: number,
    Dimensions: dimensions,
    EvaluateLowSampleCountPercentile: text,
    EvaluationPeriods: required(number),
    ExtendedStatistic: text,
    MetricName: text,
    Metrics: list(
      object({
        AccountId: text,
        Expression: text,
        Id: required(text),
        Label: text,
        MetricStat: object({ Metric: required(metric), Period: required(number), Stat: required(text), Unit: text }),
        Period: number,
        ReturnData: flag,
      }),
    ),
    Namespace: text,
    Period: number,
    Statistic: text,
    Threshold: number,
    ThresholdMetricId: text,
    TreatMissingData: text,
    Unit: text,
  },
  attributes: ['Arn'],
  naming: { property: 'AlarmName', maxLength: 255 },
  answer: ({ name, context }) => ({ ref: name, attributes: { Arn: alarmArn(name, context) } }),
});

export const compositeAlarm = recorded('AWS::CloudWatch::CompositeAlarm', {
  properties: {
    ...alarmActions,
    ActionsSuppressor: text,
    ActionsSuppressorExtensionPeriod: number,
    ActionsSuppressorWaitPeriod: number,
    AlarmRule: required(text),
  },
  attributes: ['Arn'],
  naming: { property: 'AlarmName', maxLength: 255 },
  answer: ({ name, context }) => ({ ref: name, attributes: { Arn: alarmArn(name, context) } }),
});

export const dashboard = recorded('AWS::CloudWatch::Dashboard', {
  properties: { DashboardBody: required(text), DashboardName: text },
  naming: { property: 'DashboardName', maxLength: 255 },
});

export const metricFilter = recorded('AWS::Logs::MetricFilter', {
  properties: {
    FilterName: text,
    FilterPattern: required(text),
    LogGroupName: required(text),
    MetricTransformations: required(list(document)),
  },
  naming: { property: 'FilterName', maxLength: 512 },
});

export const samplingRule = recorded('AWS::XRay::SamplingRule', {
  properties: {
    RuleName: text,
    SamplingRule: required(
      object({
        Attributes: map(text),
        FixedRate: required(number),
        Host: required(text),
        HTTPMethod: required(text),
        Priority: required(number),
        ReservoirSize: required(number),
        ResourceARN: required(text),
        RuleName: text,
        ServiceName: required(text),
        ServiceType: required(text),
        URLPath: required(text),
        Version: number,
      }),
    ),
    Tags: tags,
  },
  attributes: ['RuleARN'],
  answer: ({ name, context: { region, accountId } }) => ({
    ref: name,
    attributes: { RuleARN: `arn:aws:xray:${region}:${accountId}:sampling-rule/${name}` },
  }),
});

function alarmArn(name: string, { region, accountId }: { region: string; accountId: string }): string {
  return `arn:aws:cloudwatch:${region}:${accountId}:alarm:${name}`;
}
