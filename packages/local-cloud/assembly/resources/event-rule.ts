import {
  DeleteRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { resourceType, unless } from '../resource-type.ts';
import { choice, document, list, map, number, object, required, tags, text } from '../shapes.ts';

const GONE = ['ResourceNotFoundException'];

export const eventRule = resourceType('AWS::Events::Rule', {
  properties: {
    Description: text,
    EventBusName: choice('default'),
    EventPattern: document,
    Name: text,
    ScheduleExpression: text,
    State: choice('ENABLED', 'DISABLED'),
    Tags: tags,
    Targets: list(
      object({
        Arn: required(text),
        DeadLetterConfig: object({ Arn: text }),
        Id: required(text),
        Input: text,
        InputPath: text,
        InputTransformer: object({ InputPathsMap: map(text), InputTemplate: required(text) }),
        RetryPolicy: object({ MaximumEventAgeInSeconds: number, MaximumRetryAttempts: number }),
        RoleArn: text,
        SqsParameters: object({ MessageGroupId: required(text) }),
      }),
    ),
  },
  attributes: ['Arn'],
  naming: { property: 'Name', maxLength: 64 },
  async provision({ name, properties, previous, context }) {
    const { events } = context.clients;
    const { EventPattern, Targets = [], Description, ScheduleExpression, State } = properties;
    await events.send(
      new PutRuleCommand({
        Name: name,
        Description,
        ScheduleExpression,
        State,
        EventPattern: EventPattern === undefined ? undefined : JSON.stringify(EventPattern),
      }),
    );
    const wanted = new Set(Targets.map((target) => target.Id));
    const dropped = (previous?.properties.Targets ?? []).map((target) => target.Id).filter((id) => !wanted.has(id));
    if (dropped.length > 0) await events.send(new RemoveTargetsCommand({ Rule: name, Ids: dropped }));
    if (Targets.length > 0) {
      const { FailedEntries = [] } = await events.send(new PutTargetsCommand({ Rule: name, Targets }));
      const [failed] = FailedEntries;
      if (failed) throw new Error(`target ${failed.TargetId}: ${failed.ErrorCode}: ${failed.ErrorMessage}`);
    }
    const Arn = `arn:aws:events:${context.region}:${context.accountId}:rule/${name}`;
    return { ref: name, attributes: { Arn } };
  },
  async remove({ name, properties: { Targets = [] }, context }) {
    const { events } = context.clients;
    const Ids = Targets.map((target) => target.Id);
    if (Ids.length > 0) await unless(GONE, events.send(new RemoveTargetsCommand({ Rule: name, Ids })));
    await unless(GONE, events.send(new DeleteRuleCommand({ Name: name })));
  },
});
