import { stableId } from '../names.ts';
import { recorded } from '../resource-type.ts';
import { document, list, number, object, required, tags, text } from '../shapes.ts';

/** Permissions are not enforced on this machine; template tests cover least privilege. */
const policies = list(object({ PolicyDocument: required(document), PolicyName: required(text) }));

export const role = recorded('AWS::IAM::Role', {
  properties: {
    AssumeRolePolicyDocument: required(document),
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
    PolicyDocument: required(document),
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
    PolicyDocument: required(document),
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
