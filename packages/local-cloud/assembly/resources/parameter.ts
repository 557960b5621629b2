import { DeleteParameterCommand, PutParameterCommand } from '@aws-sdk/client-ssm';
import { resourceType, unless } from '../resource-type.ts';
import { choice, map, required, text } from '../shapes.ts';

export const parameter = resourceType('AWS::SSM::Parameter', {
  properties: {
    AllowedPattern: text,
    Description: text,
    Name: text,
    Tags: map(text),
    Tier: choice('Standard'),
    Type: required(choice('String', 'StringList')),
    Value: required(text),
  },
  attributes: ['Type', 'Value'],
  naming: { property: 'Name', maxLength: 1011 },
  async provision({ name, properties, context }) {
    const { Type, Value, AllowedPattern, Description } = properties;
    await context.clients.ssm.send(
      new PutParameterCommand({ Name: name, Type, Value, AllowedPattern, Description, Overwrite: true }),
    );
    return { ref: name, attributes: { Type, Value } };
  },
  async remove({ name, context }) {
    await unless(['ParameterNotFound'], context.clients.ssm.send(new DeleteParameterCommand({ Name: name })));
  },
});
