import { stableId } from '../names.ts';
import { recorded } from '../resource-type.ts';
import { list, number, object, policyDocument, required, tags, text } from '../shapes.ts';

/** Roles and policies are read from the deployed resources (`iam/`). */
const policies = list(object({ PolicyDocument: required(policyDocument), PolicyName: required(text) }));

export const role = recorded('AWS::IAM::Role', {
  properties: {
    AssumeRolePolicyDocument: required(policyDocument),
    Description: text,
    ManagedPolicyArns: list(text),
    MaxSessionDuration: number,
    Path: text,
    PermissionsBoundary: text,
    Policies: policies,
    RoleName: text,
    Tags: tags,
  },
  attributes: ['Arn', 'RoleId'],
  naming: { property: 'RoleName', maxLength: 64 },
  answer({ stack, logicalId, name, properties, context }) {
    const path = properties.Path ?? '/';
    return {
      ref: name,
      attributes: {
        Arn: `arn:aws:iam::${context.accountId}:role${path}${name}`,
        RoleId: `AROA${stableId(`${stack}/${logicalId}`, 17).toUpperCase()}`,
      },
    };
  },
});

export const policy = recorded('AWS::IAM::Policy', {
  properties: {
    Groups: list(text),
    PolicyDocument: required(policyDocument),
    PolicyName: required(text),
    Roles: list(text),
    Users: list(text),
  },
});

export const managedPolicy = recorded('AWS::IAM::ManagedPolicy', {
  properties: {
    Description: text,
    Groups: list(text),
    ManagedPolicyName: text,
    Path: text,
    PolicyDocument: required(policyDocument),
    Roles: list(text),
    Users: list(text),
  },
  attributes: ['PolicyArn'],
  naming: { property: 'ManagedPolicyName', maxLength: 128 },
  answer({ name, context }) {
    const arn = `arn:aws:iam::${context.accountId}:policy/${name}`;
    return { ref: arn, attributes: { PolicyArn: arn } };
  },
});
