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
    // Logs and traces of executions are AWS's own; here the execution history tells what happened.
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
  naming: { property: 'StateMachineName', longest: 80 },
  fixed: ['StateMachineType'],
  async provision({ name, properties, bench }) {
    const { states } = bench.clients;
    const stateMachineArn = `arn:aws:states:${bench.region}:${bench.accountId}:stateMachine:${name}`;
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
  async remove({ ref, bench }) {
    await unless(GONE, bench.clients.states.send(new DeleteStateMachineCommand({ stateMachineArn: ref })));
  },
});

/** Puts the values in place of `${Name}`. Throws when a placeholder has no value. */
function substituted(definition: string, values: Record<string, string>): string {
  return definition.replaceAll(/\$\{([A-Za-z0-9_]+)\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`DefinitionSubstitutions has no value for \${${name}}`);
    // Inside a JSON text, so quotes and the like need their escapes.
    return JSON.stringify(value).slice(1, -1);
  });
}
