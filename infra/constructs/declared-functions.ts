import type { Construct } from 'constructs';
import type { Group } from '../../functions/group.ts';
import {
  type Access,
  type ConsumedQueue,
  ENDPOINT_GROUP_SIZE,
  type QueueName,
  type WorkerResources,
} from '../../functions/resources.ts';
import { BundledFunction, type BundledFunctionProps } from './bundled-function.ts';
import { pascalCase, placed } from './construct-paths.ts';
import { WorkerQueue } from './worker-queue.ts';

/** A function to create from a declaration. */
export interface DeclaredFunction {
  /** Its path in the construct tree. */
  path: string;
  props: BundledFunctionProps;
  access: Access;
}

/** The name of a function without the name of its stack. */
export const nameOf = ({ name, variant }: Pick<BundledFunctionProps, 'name' | 'variant'>): string =>
  variant ? `${name}-${variant}` : name;

export function groupFunction({ name, paths, resources }: Group): DeclaredFunction {
  const path = `${pascalCase(name)}/Function`;
  return {
    path,
    props: { ...ENDPOINT_GROUP_SIZE, ...resources, name, description: `API: ${namesOf(paths)}` },
    access: resources,
  };
}

/** One function, or one per size. */
export function workerFunctions(worker: WorkerResources): DeclaredFunction[] {
  const { name, description, sizes } = worker;
  const path = pascalCase(name);
  if (!sizes) return [{ path, props: worker, access: worker }];
  return Object.entries(sizes.memoryMb).map(([size, memoryMb]) => {
    const isUsual = size === sizes.usual;
    return {
      path: isUsual ? path : `${path}${pascalCase(size)}`,
      props: {
        ...worker,
        ...(isUsual ? {} : { variant: size }),
        description: `${description} Size: ${size}.`,
        memoryMb,
        environment: { [sizes.variable]: size },
      },
      access: worker,
    };
  });
}

/** Descriptions have at most 256 characters. */
const namesOf = (paths: readonly string[]): string => paths.map((path) => path.replace(/^\/api\//, '')).join(', ');

/** Creates the functions, by name. They get their permissions and variables later, when every resource exists. */
export function makeFunctions(scope: Construct, declared: readonly DeclaredFunction[]): Map<string, BundledFunction> {
  return new Map(
    declared.map(({ path, props }) => [nameOf(props), new BundledFunction(...placed(scope, path), props)]),
  );
}

/** Creates the queues that workers consume. A queue that shares dead letters must come after their owner. */
export function makeQueues(scope: Construct, workers: readonly WorkerResources[]): Map<QueueName, WorkerQueue> {
  const queues = new Map<QueueName, WorkerQueue>();
  for (const { timeoutSeconds, consumes = [] } of workers) {
    for (const queue of consumes) {
      const { visibilitySeconds = 6 * timeoutSeconds, sharesDeadLettersOf: owner } = queue;
      const deadLetters = owner && deadLettersOf(queues, queue, owner);
      queues.set(
        queue.name,
        new WorkerQueue(...placed(scope, `Queues/${pascalCase(queue.name)}`), {
          visibilitySeconds,
          ...(deadLetters && { deadLetters }),
        }),
      );
    }
  }
  return queues;
}

function deadLettersOf(queues: ReadonlyMap<QueueName, WorkerQueue>, { name }: ConsumedQueue, owner: QueueName) {
  const found = queues.get(owner);
  if (!found) throw new Error(`The queue ${name} shares the dead letters of ${owner}; declare ${owner} before it`);
  return found.deadLetters;
}
