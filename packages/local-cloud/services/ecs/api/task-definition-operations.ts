import { unsupported } from '../../../core/aws-error.ts';
import type { Operation } from '../../../core/operations.ts';
import { pageOf } from '../../../core/paging.ts';
import { type Arns, nameOf } from '../arns.ts';
import { SCRATCH_FOLDER, UnsupportedImage } from '../execution/dockerfile.ts';
import { commandLine, findImage, type ImageSource } from '../execution/image.ts';
import type { ContainerDefinition, TaskDefinition } from '../model.ts';
import type { EcsStore } from '../storage/store.ts';
import { clientError } from './errors.ts';
import { isFargateSize } from './fargate-sizes.ts';

const MEMBERS = [
  'family',
  'taskRoleArn',
  'executionRoleArn',
  'networkMode',
  'containerDefinitions',
  'volumes',
  'requiresCompatibilities',
  'cpu',
  'memory',
  'ephemeralStorage',
  'runtimePlatform',
  'tags',
];
const STRUCTURES = {
  'containerDefinitions[]': [
    'name',
    'image',
    'essential',
    'command',
    'entryPoint',
    'environment',
    'mountPoints',
    'linuxParameters',
    'logConfiguration',
    'readonlyRootFilesystem',
    'stopTimeout',
  ],
  'containerDefinitions[].environment[]': ['name', 'value'],
  'containerDefinitions[].mountPoints[]': ['sourceVolume', 'containerPath', 'readOnly'],
  'containerDefinitions[].linuxParameters': ['initProcessEnabled', 'capabilities'],
  'containerDefinitions[].linuxParameters.capabilities': ['drop'],
  'containerDefinitions[].logConfiguration': ['logDriver', 'options'],
  'volumes[]': ['name'],
  ephemeralStorage: ['sizeInGiB'],
  runtimePlatform: ['cpuArchitecture', 'operatingSystemFamily'],
};

type Registration = Omit<
  TaskDefinition,
  'taskDefinitionArn' | 'revision' | 'status' | 'registeredAt' | 'compatibilities'
> & {
  volumes?: { name: string }[];
  ephemeralStorage?: { sizeInGiB: number };
};

/** Finds a definition by ARN or `family:revision`, or the newest active one of a family. */
export function findDefinition(store: EcsStore, reference: string): TaskDefinition | undefined {
  const [family = '', revision] = nameOf(reference).split(':');
  return store
    .definitions(family)
    .find((each) => (revision === undefined ? each.status === 'ACTIVE' : each.revision === Number(revision)));
}

/** Throws `ClientException` if there is no such definition. */
export function definitionOf(store: EcsStore, reference: string): TaskDefinition {
  const found = findDefinition(store, reference);
  if (!found) throw clientError('Unable to describe task definition.');
  return found;
}

/** Task definitions: one container each, on Fargate. */
export function taskDefinitionOperations(
  { arns, now, images }: { arns: Arns; now: () => number; images: ImageSource },
  store: EcsStore,
): Record<string, Operation> {
  return {
    RegisterTaskDefinition: {
      members: MEMBERS,
      structures: STRUCTURES,
      run({ tags: _tags, ...input }: Registration & { tags?: unknown }) {
        check(input, images);
        const taskDefinition = store.addDefinition(input.family, (revision) => ({
          ...input,
          taskDefinitionArn: arns.taskDefinition(input.family, revision),
          revision,
          status: 'ACTIVE',
          compatibilities: ['EC2', 'FARGATE'],
          registeredAt: now(),
        }));
        return { taskDefinition };
      },
    },
    DescribeTaskDefinition: {
      members: ['taskDefinition', 'include'],
      run: ({ taskDefinition }: { taskDefinition: string }) => ({
        taskDefinition: definitionOf(store, taskDefinition),
        tags: [],
      }),
    },
    DeregisterTaskDefinition: {
      members: ['taskDefinition'],
      run({ taskDefinition: reference }: { taskDefinition: string }) {
        const taskDefinition: TaskDefinition = { ...definitionOf(store, reference), status: 'INACTIVE' };
        store.saveDefinition(taskDefinition);
        return { taskDefinition };
      },
    },
    ListTaskDefinitions: {
      members: ['familyPrefix', 'status', 'maxResults', 'nextToken'],
      run({ familyPrefix, status = 'ACTIVE', maxResults = 100, nextToken }: List) {
        const found = store.definitions(familyPrefix).filter((each) => each.status === status);
        const { items, next } = pageOf(found, (each) => each.taskDefinitionArn, { size: maxResults, token: nextToken });
        return {
          taskDefinitionArns: items.map(({ taskDefinitionArn }) => taskDefinitionArn),
          ...(next.NextToken !== undefined && { nextToken: next.NextToken }),
        };
      },
    },
  };
}

interface List {
  familyPrefix?: string;
  status?: string;
  maxResults?: number;
  nextToken?: string;
}

/** Throws `ClientException` for input that AWS rejects, and rejects by name what is not supported here. */
function check(input: Registration, images: ImageSource): void {
  const { family, networkMode, requiresCompatibilities = [], containerDefinitions = [], cpu, memory } = input;
  if (!/^[\w-]{1,255}$/.test(family ?? '')) throw clientError('The family of the task definition is not valid.');
  if (networkMode !== 'awsvpc' || !requiresCompatibilities.includes('FARGATE')) {
    throw unsupported('ecs', 'a task definition for another launch type than FARGATE');
  }
  if (!isFargateSize(cpu, memory)) throw clientError('No Fargate configuration exists for given values.');
  const storage = input.ephemeralStorage?.sizeInGiB ?? 21;
  if (storage < 21 || storage > 200) throw clientError('The ephemeral storage must be between 21 and 200 GiB.');
  const [container, ...others] = containerDefinitions;
  if (!container) throw clientError('Container list cannot be empty.');
  if (others.length > 0) throw unsupported('ecs', 'more than one container in a task definition');
  checkContainer(container, new Set(input.volumes?.map(({ name }) => name)), images);
}

function checkContainer(container: ContainerDefinition, volumes: ReadonlySet<string>, images: ImageSource): void {
  const { name, logConfiguration, mountPoints = [], stopTimeout = 30 } = container;
  if (!name || !container.image) throw clientError('Container.name and Container.image should not be null or empty.');
  if (logConfiguration && logConfiguration.logDriver !== 'awslogs') {
    throw unsupported('ecs', `the log driver ${logConfiguration.logDriver}`);
  }
  if (stopTimeout > 120) throw clientError('The stop timeout of a container on Fargate is at most 120 seconds.');
  for (const { sourceVolume, containerPath } of mountPoints) {
    if (!volumes.has(sourceVolume)) throw clientError(`Unknown volume '${sourceVolume}'.`);
    if (containerPath !== SCRATCH_FOLDER) throw unsupported('ecs', `a volume at ${containerPath}`);
  }
  try {
    const image = findImage(images, container.image);
    if (image) commandLine(image.program, container);
  } catch (error) {
    throw error instanceof UnsupportedImage
      ? unsupported('ecs', `the image ${container.image}: ${error.message}`)
      : error;
  }
}
