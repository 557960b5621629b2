// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are CloudFormation's
import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOptions, type Deployment, startDeployment } from './support/assembly.ts';

let deployment: Deployment;

beforeAll(async () => {
  deployment = await startDeployment();
});
afterAll(() => deployment.close());

const parameter = (Value: unknown) => ({ Type: 'AWS::SSM::Parameter', Properties: { Type: 'String', Value } });
const queue = (Properties: object = {}) => ({ Type: 'AWS::SQS::Queue', Properties });

/** Deploys one stack with one output and returns the output's value. */
async function outputOf(expression: unknown, rest: object = {}): Promise<string | undefined> {
  const { outputs } = await deployment.deploy({
    Values: { Resources: { Queue: queue() }, Outputs: { It: { Value: expression } }, ...rest },
  });
  return outputs.Values?.It;
}

describe('intrinsic functions', () => {
  it.each([
    ['Ref to a resource', { Ref: 'Queue' }, expect.stringMatching(/\/000000000000\/Values-Queue$/)],
    ['GetAtt', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:us-east-1:000000000000:Values-Queue'],
    ['GetAtt with a dot', { 'Fn::GetAtt': 'Queue.QueueName' }, 'Values-Queue'],
    [
      'pseudo parameters',
      { 'Fn::Sub': '${AWS::Partition} ${AWS::Region} ${AWS::AccountId} ${AWS::StackName}' },
      'aws us-east-1 000000000000 Values',
    ],
    [
      'Sub with attributes, own values and a literal',
      { 'Fn::Sub': ['${Queue.Arn}|${x}|${!y}', { x: { 'Fn::Join': ['-', ['a', 1]] } }] },
      'arn:aws:sqs:us-east-1:000000000000:Values-Queue|a-1|${y}',
    ],
    [
      'Select and Split',
      { 'Fn::Select': [5, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Queue', 'Arn'] }] }] },
      'Values-Queue',
    ],
    ['FindInMap', { 'Fn::FindInMap': ['Sizes', { Ref: 'AWS::Region' }, 'large'] }, '10'],
    ['Base64', { 'Fn::Base64': { Ref: 'Colour' } }, 'cmVk'],
    ['If with nested conditions', { 'Fn::If': ['Both', 'yes', 'no'] }, 'yes'],
    ['a list parameter', { 'Fn::Select': ['1', { Ref: 'Zones' }] }, 'b'],
  ])('%s', async (_name, expression, value) => {
    const rest = {
      Parameters: {
        Colour: { Type: 'String', Default: 'red' },
        Zones: { Type: 'CommaDelimitedList', Default: 'a, b' },
        BootstrapVersion: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/cdk-bootstrap/version' },
      },
      Rules: { CheckBootstrapVersion: { Assertions: [] } },
      Mappings: { Sizes: { 'us-east-1': { large: 10 } } },
      Conditions: {
        Red: { 'Fn::Equals': [{ Ref: 'Colour' }, 'red'] },
        Blue: { 'Fn::Not': [{ Condition: 'Red' }] },
        Both: {
          'Fn::And': [
            { Condition: 'Red' },
            { 'Fn::Or': [{ Condition: 'Blue' }, { 'Fn::Not': [{ Condition: 'Blue' }] }] },
          ],
        },
      },
    };
    expect(await outputOf(expression, rest)).toEqual(value);
  });

  it('omit AWS::NoValue and parts whose condition is false', async () => {
    const { outputs } = await deployment.deploy({
      Optional: {
        Conditions: { Never: { 'Fn::Equals': ['a', 'b'] } },
        Resources: {
          Queue: queue({ DelaySeconds: { 'Fn::If': ['Never', 5, { Ref: 'AWS::NoValue' }] }, VisibilityTimeout: '7' }),
          Absent: { ...queue(), Condition: 'Never' },
        },
        Outputs: { Here: { Value: { Ref: 'Queue' } }, Absent: { Condition: 'Never', Value: { Ref: 'Absent' } } },
      },
    });
    const sqs = new SQSClient(clientOptions(deployment.cloud));
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: outputs.Optional?.Here, AttributeNames: ['All'] }),
    );
    expect(Attributes).toMatchObject({ DelaySeconds: '0', VisibilityTimeout: '7' });
    expect(outputs.Optional?.Absent).toBeUndefined();
    await expect(sqs.send(new GetQueueUrlCommand({ QueueName: 'Optional-Absent' }))).rejects.toThrow();
    sqs.destroy();
  });

  it('carry values from stack to stack, by export and by output', async () => {
    const { outputs } = await deployment.deploy({
      First: {
        Resources: { Queue: queue() },
        Outputs: {
          Arn: { Value: { 'Fn::GetAtt': ['Queue', 'Arn'] }, Export: { Name: { 'Fn::Sub': '${AWS::StackName}:arn' } } },
        },
      },
      Second: {
        Resources: { Parameter: parameter({ 'Fn::ImportValue': 'First:arn' }) },
        Outputs: {
          Imported: { Value: { 'Fn::GetAtt': ['Parameter', 'Value'] } },
          Read: {
            Value: { 'Fn::GetStackOutput': { StackName: 'First', OutputName: 'Arn', Region: { Ref: 'AWS::Region' } } },
          },
        },
      },
    });
    const arn = 'arn:aws:sqs:us-east-1:000000000000:First-Queue';
    expect(outputs).toMatchObject({ First: { Arn: arn }, Second: { Imported: arn, Read: arn } });
  });
});

describe('unsupported parts of a template', () => {
  it('are rejected together, each with stack, logical id and path, before any change', async () => {
    const attempt = deployment.deploy({
      Wrong: {
        Transform: 'AWS::Serverless-2016-10-31',
        Resources: {
          Good: queue({ QueueName: 'must-not-exist' }),
          Unknown: { Type: 'AWS::EC2::Instance', Properties: {} },
          Property: queue({ QueueNam: 'x', RedrivePolicy: { deadLetterTargetArn: 'a', maxReceiveCount: 1, more: 1 } }),
          Typed: queue({ DelaySeconds: 'soon', FifoQueue: 'perhaps' }),
          Missing: { Type: 'AWS::Lambda::Function', Properties: { Code: { S3Bucket: 'b', S3Key: 'k', ZipFile: 'x' } } },
          Value: {
            Type: 'AWS::StepFunctions::StateMachine',
            Properties: { RoleArn: 'r', StateMachineType: 'EXPRESS' },
          },
          Reference: parameter({ Ref: 'Absent' }),
          Attribute: parameter({ 'Fn::GetAtt': ['Good', 'Colour'] }),
          Function: parameter({ 'Fn::Cidr': ['10.0.0.0/8', 2] }),
          Import: parameter({ 'Fn::ImportValue': 'nothing' }),
          Circle: { ...queue(), DependsOn: ['Back'] },
          Back: { ...queue(), DependsOn: 'Circle' },
          Policy: { ...queue(), DeletionPolicy: 'Snapshot' },
          Twin: queue({ QueueName: 'must-not-exist' }),
          Malformed: parameter({ 'Fn::GetAtt': { a: 1 } }),
          Shapeless: parameter({ 'Fn::GetStackOutput': 'a' }),
        },
      },
    });
    await expect(attempt).rejects.toMatchObject({
      name: 'AssemblyRejected',
      problems: expect.arrayContaining([
        'Wrong/Transform: the local cloud does not support this part of a template',
        'Wrong/Unknown: the local cloud does not support the resource type AWS::EC2::Instance',
        'Wrong/Property.Properties.QueueNam: the local cloud does not support this property',
        'Wrong/Property.Properties.RedrivePolicy.more: the local cloud does not support this property',
        'Wrong/Typed.Properties.DelaySeconds: expected a number, found "soon"',
        'Wrong/Typed.Properties.FifoQueue: expected true or false, found "perhaps"',
        'Wrong/Missing.Properties.Handler: required, but missing',
        'Wrong/Missing.Properties.Code.ZipFile: the local cloud does not support this property',
        'Wrong/Value.Properties.StateMachineType: the value "EXPRESS" is not supported; supported: STANDARD',
        'Wrong/Reference.Properties.Value: the stack Wrong has no resource or parameter Absent',
        'Wrong/Attribute.Properties.Value: the local cloud does not support the attribute Colour of AWS::SQS::Queue (Good)',
        'Wrong/Function.Properties.Value: the local cloud does not support the intrinsic function Fn::Cidr in this form',
        'Wrong/Import.Properties.Value: no stack exports nothing',
        'Wrong/Circle: depends on itself: Circle → Back → Circle',
        'Wrong/Policy.DeletionPolicy: Snapshot is not supported',
        'Wrong/Twin.Properties.QueueName: the name must-not-exist belongs to Wrong/Good',
        'Wrong/Malformed.Properties.Value: Fn::GetAtt is malformed here or is used in a form that the local cloud does not support',
        'Wrong/Shapeless.Properties.Value: Fn::GetStackOutput is malformed here or is used in a form that the local cloud does not support',
      ]),
    });
    const sqs = new SQSClient(clientOptions(deployment.cloud));
    await expect(sqs.send(new GetQueueUrlCommand({ QueueName: 'must-not-exist' }))).rejects.toThrow();
    sqs.destroy();
  });

  it('are named when a service rejects a value', async () => {
    await expect(
      deployment.deploy({ Late: { Resources: { Queue: queue({ DelaySeconds: 10_000 }) } } }),
    ).rejects.toThrow('Late/Queue (AWS::SQS::Queue): InvalidAttributeValue');
  });
});
