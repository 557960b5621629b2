import {
  CreateLogGroupCommand,
  DeleteLogGroupCommand,
  DeleteRetentionPolicyCommand,
  PutRetentionPolicyCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { recorded, resourceType, unless } from '../resource-type.ts';
import { choice, document, number, required, tags, text } from '../shapes.ts';

export const logGroup = resourceType('AWS::Logs::LogGroup', {
  properties: {
    LogGroupClass: choice('STANDARD'),
    LogGroupName: text,
    RetentionInDays: number,
    Tags: tags,
  },
  attributes: ['Arn'],
  naming: { property: 'LogGroupName', maxLength: 512 },
  async provision({ name, properties, previous, context }) {
    const { logs } = context.clients;
    const { RetentionInDays: retentionInDays } = properties;
    await unless(['ResourceAlreadyExistsException'], logs.send(new CreateLogGroupCommand({ logGroupName: name })));
    if (retentionInDays !== undefined) {
      await logs.send(new PutRetentionPolicyCommand({ logGroupName: name, retentionInDays }));
    } else if (previous) {
      await logs.send(new DeleteRetentionPolicyCommand({ logGroupName: name }));
    }
    const Arn = `arn:aws:logs:${context.region}:${context.accountId}:log-group:${name}:*`;
    return { ref: name, attributes: { Arn } };
  },
  async remove({ name, context }) {
    await unless(
      ['ResourceNotFoundException'],
      context.clients.logs.send(new DeleteLogGroupCommand({ logGroupName: name })),
    );
  },
});

/** Lets other AWS services write to log groups, which they may do anyway on this machine. */
export const logResourcePolicy = recorded('AWS::Logs::ResourcePolicy', {
  properties: { PolicyDocument: required(document), PolicyName: required(text) },
  naming: { property: 'PolicyName', maxLength: 255 },
});
