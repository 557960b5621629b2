import {
  CreateStateMachineCommand,
  DeleteStateMachineCommand,
  DescribeStateMachineCommand,
  UpdateStateMachineCommand,
} from '@aws-sdk/client-sfn';
import { resourceType, unless } from '../resource-type.ts';
import { choice, document, flag, list, map, object, required, tags, text } from '../shapes.ts';

const GONE = ['StateMachineDoesNotExist'];

export const stateMachine = resourceType('AWS::StepFunctions::StateMachine', {
  properties: {
    Definition: document,
    DefinitionString: text,
    DefinitionSubstitutions: map(text),
    // Logs and traces of executions exist only on AWS; here the execution history has the details.
    LoggingConfiguration: object({
      Destinations: list(object({ CloudWatchLogsLogGroup: object({ LogGroupArn: text }) })),
      IncludeExecutionData: flag,
      Level: choice('ALL', 'ERROR', 'FATAL', 'OFF'),
    }),
    RoleArn: required(text),
    StateMachineName: text,
    StateMachineType: choice('STANDARD'),
    Tags: tags,
    TracingConfiguration: object({ Enabled: flag }),
  },
  attributes: ['Arn', 'Name'],
  naming: { property: 'StateMachineName', maxLength: 80 },
  fixed: ['StateMachineType'],
  async provision({ name, properties, context }) {
    const { states } = context.clients;
    const stateMachineArn = `arn:aws:states:${context.region}:${context.accountId}:stateMachine:${name}`;
    const definition = substituted(
      properties.DefinitionString ?? JSON.stringify(properties.Definition),
      properties.DefinitionSubstitutions ?? {},
    );
    const settings = { definition, roleArn: properties.RoleArn };
    const existing = await unless(GONE, states.send(new DescribeStateMachineCommand({ stateMachineArn })));
    if (existing) await states.send(new UpdateStateMachineCommand({ stateMachineArn, ...settings }));
    else await states.send(new CreateStateMachineCommand({ name, type: properties.StateMachineType, ...settings }));
    return { ref: stateMachineArn, attributes: { Arn: stateMachineArn, Name: name } };
  },
  async remove({ ref, context }) {
    await unless(GONE, context.clients.states.send(new DeleteStateMachineCommand({ stateMachineArn: ref })));
  },
});

/** Replaces `${Name}` placeholders. Throws when a placeholder has no value. */
function substituted(definition: string, values: Record<string, string>): string {
  return definition.replaceAll(/\$\{([A-Za-z0-9_]+)\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`DefinitionSubstitutions has no value for \${${name}}`);
    // The value becomes part of a JSON text, so it is escaped.
    return JSON.stringify(value).slice(1, -1);
  });
}
