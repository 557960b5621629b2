import { describe, expect, it } from 'vitest';
import type { AccessRequest } from '../../core/access/authorizer.ts';
import { type Principal, ROOT, sessionOf } from '../../core/access/principal.ts';
import { type Decision, evaluate } from '../../iam/evaluate.ts';
import { Policy } from '../../iam/policy.ts';

const ROLE = 'arn:aws:iam::000000000000:role/worker';
const WORKER = sessionOf(ROLE, 'worker');
const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/orders';
const RULE: Principal = {
  type: 'service',
  service: 'events.amazonaws.com',
  sourceArn: 'arn:aws:events:us-east-1:000000000000:rule/uploads',
};

const policy = (...Statement: object[]) => new Policy('test', { Version: '2012-10-17', Statement });
const allow = (Action: unknown, Resource: unknown = '*', more: object = {}) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
});
const deny = (Action: unknown, Resource: unknown = '*', more: object = {}) => ({
  ...allow(Action, Resource, more),
  Effect: 'Deny',
});

/** The decision on a request of the worker with these statements in the policy of its role. */
function decide(action: string, resource: string, statements: object[], context?: AccessRequest['context']): Decision {
  const request = { action, resource, ...(context && { context }) };
  return evaluate(request, WORKER, { identity: statements.length ? [policy(...statements)] : [], resource: [] });
}

describe('an identity-based policy', () => {
  it.each<[string, string, string, object[], boolean]>([
    ['denies what no statement allows', 'dynamodb:PutItem', TABLE, [], false],
    ['allows a named action on a named resource', 'dynamodb:PutItem', TABLE, [allow('dynamodb:PutItem', TABLE)], true],
    ['does not allow another action', 'dynamodb:GetItem', TABLE, [allow('dynamodb:PutItem', TABLE)], false],
    ['does not allow another resource', 'dynamodb:PutItem', `${TABLE}2`, [allow('dynamodb:PutItem', TABLE)], false],
    [
      'keeps a table and its index apart',
      'dynamodb:Query',
      `${TABLE}/index/i`,
      [allow('dynamodb:Query', TABLE)],
      false,
    ],
    ['compares actions without regard to case', 'dynamodb:PutItem', TABLE, [allow('DYNAMODB:putitem', TABLE)], true],
    ['compares resources with regard to case', 'dynamodb:PutItem', TABLE, [allow('*', TABLE.toUpperCase())], false],
    ['knows lists', 's3:GetObject', 'b', [allow(['s3:PutObject', 's3:GetObject'], ['a', 'b'])], true],
    ['knows * in an action', 's3:GetObject', 'arn:aws:s3:::b/k', [allow('s3:Get*')], true],
    ['does not let * in an action match everything', 's3:PutObject', 'arn:aws:s3:::b/k', [allow('s3:Get*')], false],
    ['knows ? in an action', 's3:GetObject', 'arn:aws:s3:::b/k', [allow('s3:?etObject')], true],
    ['knows * in a key', 's3:GetObject', 'arn:aws:s3:::b/a/b/c', [allow('*', 'arn:aws:s3:::b/a/*')], true],
    ['takes a point literally', 's3:GetObject', 'arn:aws:s3:::bxc/k', [allow('*', 'arn:aws:s3:::b.c/*')], false],
    ['lets * within a segment stop at its colon', 'a:b', 'arn:aws:sns:x:1:t', [allow('*', 'arn:aws:s*s:1:t')], false],
    ['lets * at the end of a segment pass its colon', 'a:b', 'arn:aws:sns:x:1:t', [allow('*', 'arn:aws:s*')], true],
    ['allows everything but NotAction', 's3:GetObject', 'b', [allow(undefined, '*', { NotAction: 'iam:*' })], true],
    ['does not allow NotAction', 'iam:PassRole', 'r', [allow(undefined, '*', { NotAction: 'iam:*' })], false],
    [
      'allows everything but NotResource',
      's3:GetObject',
      'b',
      [allow('s3:*', '', { Resource: undefined, NotResource: 'a' })],
      true,
    ],
    [
      'does not allow NotResource',
      's3:GetObject',
      'a',
      [allow('s3:*', '', { Resource: undefined, NotResource: 'a' })],
      false,
    ],
    ['lets an explicit deny win', 's3:GetObject', 'b', [allow('*'), deny('s3:GetObject', 'b')], false],
    ['denies only what a deny names', 's3:PutObject', 'b', [allow('*'), deny('s3:GetObject', 'b')], true],
  ])('%s', (_title, action, resource, statements, allowed) => {
    expect(decide(action, resource, statements).allowed).toBe(allowed);
  });

  it('gives the reason in the words of AWS', () => {
    expect(decide('s3:GetObject', 'b', [])).toMatchObject({
      reason: 'because no identity-based policy allows the s3:GetObject action',
    });
    expect(decide('s3:GetObject', 'b', [allow('*'), deny('*')])).toMatchObject({
      reason: 'with an explicit deny in an identity-based policy',
    });
  });
});

describe('conditions', () => {
  it.each<[string, Record<string, Record<string, unknown>>, AccessRequest['context'], boolean]>([
    ['StringEquals', { StringEquals: { 's3:prefix': ['a', 'b'] } }, { 's3:prefix': 'b' }, true],
    ['StringEquals, another value', { StringEquals: { 's3:prefix': 'a' } }, { 's3:prefix': 'b' }, false],
    ['StringEquals, no value', { StringEquals: { 's3:prefix': 'a' } }, {}, false],
    ['StringEqualsIfExists, no value', { StringEqualsIfExists: { 's3:prefix': 'a' } }, {}, true],
    [
      'StringEqualsIfExists, another value',
      { StringEqualsIfExists: { 's3:prefix': 'a' } },
      { 's3:prefix': 'b' },
      false,
    ],
    ['StringNotEquals', { StringNotEquals: { 's3:prefix': ['a', 'b'] } }, { 's3:prefix': 'b' }, false],
    ['StringNotEquals, no value', { StringNotEquals: { 's3:prefix': 'a' } }, {}, true],
    ['StringEqualsIgnoreCase', { StringEqualsIgnoreCase: { 's3:prefix': 'A' } }, { 's3:prefix': 'a' }, true],
    ['StringLike', { StringLike: { 's3:prefix': 'home/*/x?' } }, { 's3:prefix': 'home/a/b/xy' }, true],
    ['StringNotLike', { StringNotLike: { 's3:prefix': 'home/*' } }, { 's3:prefix': 'home/a' }, false],
    ['keys without regard to case', { StringEquals: { 'S3:Prefix': 'a' } }, { 's3:prefix': 'a' }, true],
    [
      'several keys must all hold',
      { StringEquals: { 's3:prefix': 'a', 's3:delimiter': '/' } },
      { 's3:prefix': 'a' },
      false,
    ],
    ['NumericLessThanEquals', { NumericLessThanEquals: { 's3:max-keys': 10 } }, { 's3:max-keys': '10' }, true],
    ['NumericGreaterThan', { NumericGreaterThan: { 's3:max-keys': '10' } }, { 's3:max-keys': '10' }, false],
    ['Bool', { Bool: { 'aws:SecureTransport': 'true' } }, {}, true],
    ['Bool, the opposite', { Bool: { 'aws:SecureTransport': false } }, {}, false],
    ['Null: the key is absent', { Null: { 's3:prefix': true } }, {}, true],
    ['Null: the key is present', { Null: { 's3:prefix': 'true' } }, { 's3:prefix': '' }, false],
    [
      'ArnLike by segment',
      { ArnLike: { 'ecs:cluster': 'arn:aws:ecs:*:0:cluster/*' } },
      { 'ecs:cluster': 'arn:aws:ecs:x:0:cluster/c' },
      true,
    ],
    [
      'ArnLike does not pass a colon',
      { ArnLike: { 'ecs:cluster': 'arn:aws:*:cluster/c' } },
      { 'ecs:cluster': 'arn:aws:ecs:x:0:cluster/c' },
      false,
    ],
    [
      'ArnEquals has wildcards too',
      { ArnEquals: { 'ecs:cluster': 'arn:aws:ecs:x:0:cluster/?' } },
      { 'ecs:cluster': 'arn:aws:ecs:x:0:cluster/c' },
      true,
    ],
    ['ForAllValues', { 'ForAllValues:StringEquals': { 's3:prefix': ['a', 'b'] } }, { 's3:prefix': ['a', 'b'] }, true],
    [
      'ForAllValues, one more value',
      { 'ForAllValues:StringEquals': { 's3:prefix': 'a' } },
      { 's3:prefix': ['a', 'b'] },
      false,
    ],
    ['ForAllValues, no value', { 'ForAllValues:StringEquals': { 's3:prefix': 'a' } }, {}, true],
    ['ForAnyValue', { 'ForAnyValue:StringLike': { 's3:prefix': 'a*' } }, { 's3:prefix': ['b', 'ab'] }, true],
    ['ForAnyValue, no value', { 'ForAnyValue:StringEquals': { 's3:prefix': 'a' } }, {}, false],
  ])('%s', (_title, Condition, context, allowed) => {
    expect(decide('s3:ListBucket', 'b', [allow('*', '*', { Condition })], context).allowed).toBe(allowed);
  });

  it('resolves variables in a resource, and applies nothing whose variable is unknown', () => {
    const own = [allow('s3:GetObject', `arn:aws:s3:::b/\${aws:PrincipalAccount}/*`)];
    expect(decide('s3:GetObject', 'arn:aws:s3:::b/000000000000/k', own).allowed).toBe(true);
    expect(decide('s3:GetObject', 'arn:aws:s3:::b/111111111111/k', own).allowed).toBe(false);
    const unknown = [allow('s3:GetObject', `arn:aws:s3:::b/\${s3:prefix}/*`)];
    expect(decide('s3:GetObject', 'arn:aws:s3:::b/undefined/k', unknown).allowed).toBe(false);
  });

  it.each([
    [{ Condition: { StringSounds: { 's3:prefix': 'a' } } }, 'the condition operator StringSounds'],
    [{ Condition: { StringEquals: { 'dynamodb:LeadingKeys': 'a' } } }, 'the condition key dynamodb:LeadingKeys'],
    [{ Principal: { Federated: 'x' } }, 'principals of the kind Federated'],
    [{ Resources: '*' }, 'the policy element Resources'],
    [{ Effect: 'Maybe' }, 'the policy effect Maybe'],
  ])('rejects %j by name', (more, message) => {
    expect(() => policy(allow('*', '*', more))).toThrow(message);
  });
});

describe('policies of a resource, boundaries and callers without a role', () => {
  const request = { action: 'sqs:SendMessage', resource: 'q' };
  const grantTo = (Principal: unknown, more: object = {}) =>
    policy(allow('sqs:SendMessage', 'q', { Principal, ...more }));
  const fromRule = { Condition: { ArnEquals: { 'aws:SourceArn': RULE.sourceArn } } };

  it.each<[string, Principal, { identity?: Policy[]; boundary?: Policy; resource?: Policy[] }, boolean]>([
    [
      'a policy of the resource allows a role without one of its own',
      WORKER,
      { resource: [grantTo({ AWS: ROLE })] },
      true,
    ],
    ['a policy of the resource allows a session', WORKER, { resource: [grantTo({ AWS: WORKER.arn })] }, true],
    [
      'a policy of the resource for another role is no help',
      WORKER,
      { resource: [grantTo({ AWS: `${ROLE}2` })] },
      false,
    ],
    ['an account as principal leaves it to the role', WORKER, { resource: [grantTo({ AWS: '000000000000' })] }, false],
    [
      'the deny of a resource wins over the role',
      WORKER,
      { identity: [policy(allow('*'))], resource: [policy(deny('*', '*', { Principal: '*' }))] },
      false,
    ],
    [
      'a deny for everybody but one principal spares that one',
      WORKER,
      { identity: [policy(allow('*'))], resource: [policy(deny('*', '*', { NotPrincipal: { AWS: ROLE } }))] },
      true,
    ],
    [
      'the same deny hits others',
      sessionOf(`${ROLE}2`, 's'),
      { identity: [policy(allow('*'))], resource: [policy(deny('*', '*', { NotPrincipal: { AWS: ROLE } }))] },
      false,
    ],
    ['a boundary limits a role', WORKER, { identity: [policy(allow('*'))], boundary: policy(allow('s3:*')) }, false],
    ['a boundary grants nothing', WORKER, { boundary: policy(allow('*')) }, false],
    [
      'a boundary that allows lets the role decide',
      WORKER,
      { identity: [policy(allow('*'))], boundary: policy(allow('sqs:*')) },
      true,
    ],
    ['a service needs a policy of the resource', RULE, { identity: [policy(allow('*'))] }, false],
    [
      'a service is allowed by name and source',
      RULE,
      { resource: [grantTo({ Service: 'events.amazonaws.com' }, fromRule)] },
      true,
    ],
    [
      'another source of the service is not',
      { ...RULE, sourceArn: `${RULE.sourceArn}2` },
      { resource: [grantTo({ Service: 'events.amazonaws.com' }, fromRule)] },
      false,
    ],
    [
      'another service is not',
      { ...RULE, service: 's3.amazonaws.com' },
      { resource: [grantTo({ Service: 'events.amazonaws.com' })] },
      false,
    ],
    ['the root user needs no policy', ROOT, {}, true],
    [
      'but a deny of the resource concerns it too',
      ROOT,
      { resource: [policy(deny('*', '*', { Principal: '*' }))] },
      false,
    ],
    ['an anonymous caller needs a policy for everybody', { type: 'anonymous' }, { resource: [grantTo('*')] }, true],
    ['and is otherwise denied', { type: 'anonymous' }, {}, false],
  ])('%s', (_title, principal, { identity = [], boundary, resource = [] }, allowed) => {
    expect(evaluate(request, principal, { identity, boundary, resource }).allowed).toBe(allowed);
  });

  it('allows nothing over plain HTTP where a deny on aws:SecureTransport says so', () => {
    const onlyTls = policy(deny('*', '*', { Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }));
    const policies = { identity: [policy(allow('*'))], resource: [onlyTls] };
    expect(evaluate(request, WORKER, policies).allowed).toBe(true);
    const plain = { ...request, context: { 'aws:securetransport': 'false' } };
    expect(evaluate(plain, WORKER, policies)).toMatchObject({
      reason: 'with an explicit deny in a resource-based policy',
    });
  });
});
