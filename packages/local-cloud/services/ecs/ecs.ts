import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { accessCheck, type Place } from '../../core/access/authorizer.ts';
import type { Credentials } from '../../core/access/credentials.ts';
import { openDatabase } from '../../core/database.ts';
import { answerJson, type JsonOperations, refuseJson } from '../../core/json-protocol.ts';
import { type Operation, rejectUnknownMembers, withFaults } from '../../core/operations.ts';
import type { EcsPort } from '../../core/ports.ts';
import type { CloudContext, LocalService } from '../../core/service.ts';
import { ecsRequests, runTask } from '../../iam/requests/ecs.ts';
import { clusterOperations } from './api/cluster-operations.ts';
import { faultErrors } from './api/errors.ts';
import { findDefinition, taskDefinitionOperations } from './api/task-definition-operations.ts';
import { taskOperations } from './api/task-operations.ts';
import { Arns } from './arns.ts';
import type { ImageSource } from './execution/image.ts';
import { type LogSink, TaskRunner } from './execution/task-runner.ts';
import type { Task } from './model.ts';
import { EcsStore, SCHEMA } from './storage/store.ts';

export interface Ecs extends LocalService, EcsPort {
  /** Answers a task's request for the credentials of its role. Returns false for any other request. */
  serveCredentials(message: IncomingMessage, response: ServerResponse): boolean;
}

export interface EcsPorts {
  logs: LogSink;
  images: ImageSource;
  credentials: Credentials;
}

interface RunTaskInput {
  cluster?: string;
  taskDefinition: string;
}

/** Stopped tasks are described, and repeated requests recognised, for a day. */
const KEPT_SECONDS = 24 * 60 * 60;

/**
 * Amazon ECS with Fargate on this machine: a task is a process that runs the command of its image's Dockerfile. Tasks
 * end with the service; the next start reports them as stopped, as after the loss of a host.
 */
export function createEcs(context: CloudContext, ports: EcsPorts): Ecs {
  const database = openDatabase(join(context.dataDir, 'ecs.sqlite'), SCHEMA);
  const store = new EcsStore(database);
  const now = () => context.clock.now() / 1000;
  store.removeStoppedBefore(now() - KEPT_SECONDS);
  const runner = new TaskRunner(context, store, ports);
  const parts = { arns: new Arns(context), now, images: ports.images };
  const table: Record<string, Operation> = {
    ...clusterOperations(parts.arns, store),
    ...taskDefinitionOperations(parts, store),
    ...taskOperations(parts, store, runner),
  };
  const operations: JsonOperations = Object.fromEntries(
    Object.entries(table).map(([name, operation]) => [
      name,
      (input: object) => {
        rejectUnknownMembers('ecs', name, input, operation.members, operation.structures);
        const place = { service: 'ecs', operation: name, resource: operation.resource?.(input) };
        return withFaults(context, place, faultErrors, () => operation.run(input));
      },
    ]),
  );
  const required = (operation: string, input: RunTaskInput, place: Place) => {
    const definition = operation === 'RunTask' ? findDefinition(store, input.taskDefinition) : undefined;
    return definition ? runTask(input, definition, place) : ecsRequests(operation, input, place);
  };
  const checkAccess = accessCheck(context, required);
  return {
    signingName: 'ecs',
    refuse: refuseJson('1.1'),
    handle: (request, response) =>
      answerJson({ name: 'ecs', version: '1.1', operations, checkAccess }, request, response),
    async perform(operation, input, caller) {
      await checkAccess(caller, operation, input);
      return (await operations[operation]?.(input)) as never;
    },
    async whenStopped(taskArn, caller): Promise<Task> {
      const [, cluster] = taskArn.split('/');
      await checkAccess(caller, 'DescribeTasks', { cluster, tasks: [taskArn] });
      return runner.whenStopped(taskArn);
    },
    serveCredentials: (message, response) => runner.credentials.serve(message, response),
    async close() {
      await runner.close();
      database.close();
    },
  };
}
