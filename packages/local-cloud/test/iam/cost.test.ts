import { expect, it } from 'vitest';
import { sessionOf } from '../../core/access/principal.ts';
import { Iam } from '../../iam/iam.ts';

const ROLE = 'arn:aws:iam::000000000000:role/worker';
const WORKER = sessionOf(ROLE, 'worker');
const CALLS = 20_000;

/** A role as the deployments have them: a dozen statements, most of them on one table and areas of one bucket. */
function statements(): object[] {
  const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/items';
  const allow = (Action: string[], Resource: string | string[]) => ({ Effect: 'Allow', Action, Resource });
  return [
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], 'arn:aws:logs:us-east-1:000000000000:log-group:worker:*'),
    allow(['xray:PutTraceSegments'], '*'),
    allow(['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], table),
    allow(['dynamodb:Query'], [`${table}/index/one`, `${table}/index/two`]),
    ...['s3:GetObject', 's3:PutObject', 's3:DeleteObject'].map((action) =>
      allow(
        [action],
        ['a', 'b', 'c', 'd'].map((area) => `arn:aws:s3:::files/W/*/${area}/*`),
      ),
    ),
    { ...allow(['s3:ListBucket'], 'arn:aws:s3:::files'), Condition: { StringLike: { 's3:prefix': 'W/*' } } },
    allow(['sqs:SendMessage'], 'arn:aws:sqs:us-east-1:000000000000:jobs'),
  ];
}

it('takes microseconds per call', () => {
  const iam = new Iam({
    resources: () => [
      {
        ...{ stack: 'app', logicalId: 'Role', type: 'AWS::IAM::Role', name: 'worker', ref: 'worker' },
        properties: { Policies: [{ PolicyName: 'inline', PolicyDocument: { Statement: statements() } }] },
        attributes: { Arn: ROLE },
      },
    ],
    policySources: {},
    log: () => {},
  });
  const requests = [
    { action: 'dynamodb:PutItem', resource: 'arn:aws:dynamodb:us-east-1:000000000000:table/items' },
    { action: 's3:GetObject', resource: 'arn:aws:s3:::files/W/0198c7d2/c/2026/part-1.parquet' },
    { action: 's3:ListBucket', resource: 'arn:aws:s3:::files', context: { 's3:prefix': 'W/0198c7d2/c/' } },
    { action: 'sqs:SendMessage', resource: 'arn:aws:sqs:us-east-1:000000000000:jobs' },
  ];
  const startedAt = process.cpuUsage();
  let allowed = 0;
  for (let call = 0; call < CALLS; call += 1) {
    if (iam.denial(WORKER, requests[call % requests.length]!) === undefined) allowed += 1;
  }
  const { user, system } = process.cpuUsage(startedAt);
  const microseconds = (user + system) / CALLS;
  console.log(`${microseconds.toFixed(2)} µs of processor time per evaluation`);
  expect(allowed).toBe(CALLS);
  // A few microseconds; the limit leaves room for a slow machine and a cold start.
  expect(microseconds).toBeLessThan(100);
});
