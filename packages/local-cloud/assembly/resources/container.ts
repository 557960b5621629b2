import { ROOT } from '../../core/access/principal.ts';
import { resourceType, unless } from '../resource-type.ts';
import { choice, flag, list, map, number, object, required, tags, text } from '../shapes.ts';

export const cluster = resourceType('AWS::ECS::Cluster', {
  properties: {
    ClusterName: text,
    ClusterSettings: list(object({ Name: required(text), Value: required(text) })),
    Tags: tags,
  },
  attributes: ['Arn'],
  naming: { property: 'ClusterName', maxLength: 255 },
  async provision({ name, properties, context }) {
    const settings = (properties.ClusterSettings ?? []).map(({ Name, Value }) => ({ name: Name, value: Value }));
    const { cluster: made } = await context.ecs.perform<{ cluster: { clusterArn: string } }>(
      'CreateCluster',
      {
        clusterName: name,
        settings,
      },
      ROOT,
    );
    return { ref: name, attributes: { Arn: made.clusterArn } };
  },
  async remove({ name, context }) {
    await unless(['ClusterNotFoundException'], context.ecs.perform('DeleteCluster', { cluster: name }, ROOT));
  },
});

export const taskDefinition = resourceType('AWS::ECS::TaskDefinition', {
  properties: {
    ContainerDefinitions: required(
      list(
        object({
          Environment: list(object({ Name: required(text), Value: required(text) })),
          Essential: flag,
          Image: required(text),
          LinuxParameters: object({ Capabilities: object({ Drop: list(text) }), InitProcessEnabled: flag }),
          LogConfiguration: object({ LogDriver: choice('awslogs'), Options: map(text) }),
          MountPoints: list(object({ ContainerPath: text, ReadOnly: flag, SourceVolume: text })),
          Name: required(text),
          ReadonlyRootFilesystem: flag,
          StopTimeout: number,
        }),
      ),
    ),
    Cpu: required(text),
    EphemeralStorage: object({ SizeInGiB: number }),
    ExecutionRoleArn: text,
    Family: text,
    Memory: required(text),
    NetworkMode: choice('awsvpc'),
    RequiresCompatibilities: list(choice('FARGATE')),
    RuntimePlatform: object({ CpuArchitecture: text, OperatingSystemFamily: text }),
    Tags: tags,
    TaskRoleArn: text,
    Volumes: list(object({ Name: required(text) })),
  },
  attributes: ['TaskDefinitionArn'],
  naming: { property: 'Family', maxLength: 255 },
  async provision({ name, properties, previous, context }) {
    const { Tags: _tags, Family: _family, ...given } = properties;
    const { taskDefinition: made } = await context.ecs.perform<{ taskDefinition: { taskDefinitionArn: string } }>(
      'RegisterTaskDefinition',
      { ...(onTheWire(given) as object), family: name },
      ROOT,
    );
    // The old revision is removed once the new one exists, as CloudFormation does.
    if (previous) await context.ecs.perform('DeregisterTaskDefinition', { taskDefinition: previous.ref }, ROOT);
    return { ref: made.taskDefinitionArn, attributes: { TaskDefinitionArn: made.taskDefinitionArn } };
  },
  async remove({ ref, context }) {
    await unless(['ClientException'], context.ecs.perform('DeregisterTaskDefinition', { taskDefinition: ref }, ROOT));
  },
});

/** Templates capitalise member names, the service does not; names chosen by the user stay as they are. */
function onTheWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onTheWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.charAt(0).toLowerCase() + name.slice(1),
      name === 'Options' ? member : onTheWire(member),
    ]),
  );
}
