import { join } from 'node:path';
import { type AccessCheck, accessCheck, requireAccess } from '../../core/access/authorizer.ts';
import { sessionOf } from '../../core/access/principal.ts';
import { openDatabase } from '../../core/database.ts';
import { answerJson, type JsonOperations, refuseJson } from '../../core/json-protocol.ts';
import { type Operation, rejectUnknownMembers, withFaults } from '../../core/operations.ts';
import type { EcsPort, EventsPort, LambdaPort, SqsPort, StatesPort } from '../../core/ports.ts';
import type { CloudContext, LocalService } from '../../core/service.ts';
import { managedRules, stepFunctionsRequests } from '../../iam/requests/step-functions.ts';
import { faultErrors } from './api/errors.ts';
import { executionOperations, RETENTION_MS, startExecution } from './api/execution-operations.ts';
import { machineOperations } from './api/machine-operations.ts';
import { taskTokenOperations } from './api/task-token-operations.ts';
import { Executions } from './runtime/executions.ts';
import { StatusEvents } from './runtime/status-events.ts';
import { ExecutionStore } from './storage/execution-store.ts';
import { Journal } from './storage/journal.ts';
import { MachineStore } from './storage/machine-store.ts';
import { SCHEMA } from './storage/schema.ts';

export interface StepFunctions extends LocalService, StatesPort {
  /** States entered since the process started, in all executions or those of one machine. Retries do not count. */
  transitions(stateMachineArn?: string): number;
}

/**
 * AWS Step Functions on this machine: standard JSONata state machines in one SQLite file. Open executions continue as
 * soon as the service is created.
 */
export function createStepFunctions(
  context: CloudContext,
  { lambda, sqs, events, ecs }: { lambda: LambdaPort; sqs: SqsPort; events: EventsPort; ecs: EcsPort },
): StepFunctions {
  const { clock, random, region, accountId, faults } = context;
  const database = openDatabase(join(context.dataDir, 'step-functions.sqlite'), SCHEMA);
  const entered = new Map<string, number>();
  const journal = new Journal(database, clock, ({ machineArn }) =>
    entered.set(machineArn, (entered.get(machineArn) ?? 0) + 1),
  );
  const machines = new MachineStore(database);
  const store = new ExecutionStore(database);
  const statusEvents = new StatusEvents(journal, events, clock);
  const states: StatesPort = {
    start: async ({ stateMachineArn, name, input }) =>
      startExecution(parts, { stateMachineArn, input, ...(name !== undefined && { name }) }),
  };
  const executions = new Executions({
    surroundings: {
      region,
      clock,
      faults,
      journal,
      runtime: { now: () => clock.now(), random },
      ports: { lambda, sqs, states, ecs, region },
    },
    accountId,
    machines,
    store,
    statusEvents,
    log: (message) => context.log(message),
    onEnd: (machineArn) => {
      if (machines.find(machineArn)?.status === 'DELETING' && !store.hasOpen(machineArn)) machines.remove(machineArn);
    },
  });
  const parts = { place: { region, accountId, clock }, machines, store, executions };
  const operations: Record<string, Operation> = {
    ...machineOperations(parts.place, machines, store),
    ...executionOperations(parts),
    ...taskTokenOperations(store, executions),
  };
  const served: JsonOperations = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      (input: object) => {
        rejectUnknownMembers('states', name, input, operation.members, operation.structures);
        const place = { service: 'states', operation: name, resource: operation.resource?.(input) };
        return withFaults(context, place, faultErrors, () => operation.run(input));
      },
    ]),
  );

  store.removeClosedBefore(clock.now() - RETENTION_MS);
  void statusEvents.deliver();
  executions.resumeAll();

  const checkOperation = accessCheck(context, stepFunctionsRequests);
  const checkAccess: AccessCheck = (principal, operation, input) => {
    checkOperation(principal, operation, input);
    const { roleArn, definition } = input as { roleArn?: string; definition?: string };
    if (roleArn === undefined || definition === undefined) return;
    requireAccess(context.authorizer, sessionOf(roleArn, 'states'), managedRules(definition, context));
  };

  return {
    signingName: 'states',
    refuse: refuseJson('1.0'),
    handle: (request, response) =>
      answerJson({ name: 'states', version: '1.0', operations: served, checkAccess }, request, response),
    start: async (call) => {
      await checkAccess(call.caller, 'StartExecution', call);
      return withFaults(
        context,
        { service: 'states', operation: 'StartExecution', resource: call.stateMachineArn },
        faultErrors,
        () => states.start(call),
      );
    },
    transitions(stateMachineArn) {
      if (stateMachineArn !== undefined) return entered.get(stateMachineArn) ?? 0;
      return [...entered.values()].reduce((sum, count) => sum + count, 0);
    },
    async close() {
      statusEvents.close();
      executions.close();
      database.close();
    },
  };
}
