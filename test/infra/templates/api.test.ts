import { beforeAll, describe, expect, it } from 'vitest';
import { GROUPS } from '../../../functions/api.ts';
import { GatewayMatcher, gatewayBodyOf } from '../../support/gateway-matcher.ts';
import { SETUP_TIMEOUT_MS } from '../../support/setup/ask.ts';
import { deployedStacks, ofType, references, type Stacks } from '../../support/templates.ts';

let stacks: Stacks;
beforeAll(async () => {
  stacks = await deployedStacks('usual');
}, SETUP_TIMEOUT_MS);

describe('the API', () => {
  it('sends every declared route to the function of its group', () => {
    const gateway = new GatewayMatcher(stacks.runtime);
    const functions = new Map(
      ofType(stacks.runtime, 'AWS::Lambda::Function').map(([id, { Properties }]) => [Properties.FunctionName, id]),
    );
    for (const group of GROUPS) {
      for (const route of group.routes) {
        const path = route.path.slice('/api'.length).replaceAll(/\{\w+\}/g, 'some-value');
        const target = gateway.match(route.method, path);
        expect(references(JSON.parse(target ?? 'null')), `${route.method} ${route.path}`).toContain(
          functions.get(`AnalyticsRuntime-${group.name}`),
        );
      }
    }
  });

  it('lets pages of other origins ask whether they may follow a run', () => {
    const gateway = new GatewayMatcher(stacks.runtime);
    const target = gateway.match('OPTIONS', '/pipelines/runs/some-run/events');
    expect(JSON.parse(target ?? 'null')).not.toBeNull();
  });

  it('is busy, and not broken, while no function can be called', () => {
    const answers = gatewayBodyOf(stacks.runtime)['x-amazon-apigateway-gateway-responses'];
    const statusOf = (type: string) => String(answers[type].statusCode);
    expect(statusOf('API_CONFIGURATION_ERROR')).toBe('503');
    expect(statusOf('INTEGRATION_FAILURE')).toBe('503');
    expect(statusOf('THROTTLED')).toBe('429');
    expect(statusOf('DEFAULT_5XX')).toBe('500');
  });

  it('pays neither for metrics of methods nor for the default rate of traces', () => {
    const [[, stage] = []] = ofType(stacks.runtime, 'AWS::ApiGateway::Stage');
    expect(stage!.Properties.TracingEnabled).toBe(true);
    for (const setting of stage!.Properties.MethodSettings) expect(setting).toMatchObject({ MetricsEnabled: false });
    const rules = ofType(stacks.runtime, 'AWS::XRay::SamplingRule').map(
      ([, { Properties }]) => Properties.SamplingRule,
    );
    expect(rules).toMatchObject([{ FixedRate: 0.05, ReservoirSize: 0, ServiceName: 'AnalyticsRuntime-api/*' }]);
  });

  it('streams the events of a run and the cards of a dashboard, and buffers everything else', () => {
    const operations = Object.values<Record<string, Record<string, object>>>(
      gatewayBodyOf(stacks.runtime).paths,
    ).flatMap((path) => Object.entries(path));
    const streaming = operations.filter(([, operation]) => JSON.stringify(operation).includes('"STREAM"'));
    expect(streaming.map(([method]) => method).sort()).toEqual(['get', 'post']);
    for (const [, operation] of streaming) {
      expect(operation).toMatchObject({ 'x-amazon-apigateway-integration': { timeoutInMillis: 900_000 } });
    }
  });

  it('leaves room in the template for twenty more endpoint groups', () => {
    const [[apiId, { Properties } = {}] = []] = ofType(stacks.runtime, 'AWS::ApiGateway::RestApi');
    const ofGroup = Object.entries(stacks.runtime).filter(
      ([id, one]) => id.startsWith('Themes') && !['AWS::S3::Bucket'].includes(one.Type),
    );
    const count = Object.keys(stacks.runtime).length;
    expect(apiId).toBe('ApiF70053CD');
    expect(count).toBeLessThanOrEqual(320);
    // CloudFormation's limits for a template.
    expect(count + 20 * ofGroup.length).toBeLessThanOrEqual(500);
    expect(Buffer.byteLength(JSON.stringify(stacks.runtime))).toBeLessThan(800_000);
    // API Gateway's limit for the resources of an API.
    expect(new Set(Object.keys(Properties!.Body.paths).flatMap(withParents)).size).toBeLessThan(250);
  });
});

/** The resources that the gateway makes for a path. */
const withParents = (path: string): string[] =>
  path.split('/').map((_part, index, parts) => parts.slice(0, index + 1).join('/'));

describe('uploads', () => {
  it('are sent to the work queue; other objects are not', () => {
    const rules = ofType(stacks.runtime, 'AWS::Events::Rule');
    expect(rules).toHaveLength(1);
    const { EventPattern, Targets } = rules[0]![1].Properties;
    expect(EventPattern).toMatchObject({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { bucket: { name: [expect.anything()] }, object: { key: [{ wildcard: 'W/*/uploads/*' }] } },
    });
    expect(Targets).toMatchObject([
      { SqsParameters: { MessageGroupId: 'uploads' }, DeadLetterConfig: { Arn: expect.anything() } },
    ]);
  });
});
