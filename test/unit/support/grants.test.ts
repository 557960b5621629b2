import { expect, it } from 'vitest';
import { coverageOf } from '../../support/grants.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/items';
const neededBy = { principal: 'p', action: 'a', resource: 'r' };
const grant = (policy: string, action: string, more: object = {}) => ({
  ...{ policy, statement: 0, action, resource: TABLE },
  ...more,
});

/** What `coverageOf` reports for these grants, apart from explanations that they do not need. */
const unexplained = (...grants: ReturnType<typeof grant>[]) => coverageOf([{ grants, denials: [] }]).unexplained;

it('a grant without a call is reported by policy, statement, action and resource', () => {
  expect(unexplained(grant('App/ApiRole', 'dynamodb:GetItem'))).toEqual([
    `App/ApiRole #0: dynamodb:GetItem on ${TABLE}`,
  ]);
  expect(unexplained(grant('App/ApiRole', 'dynamodb:GetItem', { neededBy }))).toEqual([]);
});

it('reading and writing items are a right each, of which one call needs the whole', () => {
  const read = grant('App/ApiRole', 'dynamodb:Query', { neededBy });
  expect(unexplained(read, grant('App/ApiRole', 'dynamodb:BatchGetItem'))).toEqual([]);
  expect(unexplained(read, grant('App/ApiRole', 'dynamodb:PutItem'))).toHaveLength(1);
  expect(unexplained(read, grant('App/OtherRole', 'dynamodb:GetItem'))).toHaveLength(1);
  expect(unexplained(read, grant('App/ApiRole', 'dynamodb:Query', { resource: `${TABLE}/index/i` }))).toHaveLength(1);
});

it('the sizes of a program and its container share their rights', () => {
  const usual = grant('AnalyticsRuntime/RunStepRoleDefaultPolicy1', 'ssm:GetParameter', { neededBy });
  const large = grant('AnalyticsRuntime/RunStepLargeRoleDefaultPolicy2', 'ssm:GetParameter');
  const task = grant('AnalyticsRuntime/PipelineRunsStepContainersTaskTaskRoleDefaultPolicy3', 'ssm:GetParameter');
  expect(unexplained(usual, large, task)).toEqual([]);
  expect(unexplained(large, task)).toHaveLength(2);
});

it('a call in any deployment counts', () => {
  const reports = [
    { grants: [grant('App/ApiRole', 'ssm:GetParameter')], denials: [] },
    { grants: [grant('App/ApiRole', 'ssm:GetParameter', { neededBy })], denials: [] },
  ];
  expect(coverageOf(reports).unexplained).toEqual([]);
  expect(coverageOf(reports.toReversed()).unexplained).toEqual([]);
});

it('an explanation that no grant needs any more is reported', () => {
  const { stale } = coverageOf([{ grants: [grant('App/ApiRole', 'xray:PutTraceSegments')], denials: [] }]);
  expect(stale).not.toContain('Lambda sends traces to X-Ray, which exists on AWS alone');
  expect(stale).toContain('networks and their flow logs exist on AWS alone');
});
