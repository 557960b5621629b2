import { AwsError, unsupported } from '../../../core/aws-error.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Operation } from '../../../core/operations.ts';
import { stateMachineArn, stateMachineName } from '../arns.ts';
import { compileMachine } from '../language/compile-machine.ts';
import type { ExecutionStore } from '../storage/execution-store.ts';
import type { MachineStore, StateMachineRecord } from '../storage/machine-store.ts';
import {
  checkLength,
  checkName,
  executionDoesNotExist,
  invalidArn,
  machineDoesNotExist,
  missing,
  pageSize,
  pageToken,
  readPageToken,
} from './errors.ts';
import { mergeTags, tagMap } from './tags.ts';

interface Settings {
  definition?: string;
  roleArn?: string;
  loggingConfiguration?: { level?: string };
  tracingConfiguration?: { enabled?: boolean };
  encryptionConfiguration?: { type?: string };
}

interface Place {
  readonly region: string;
  readonly accountId: string;
  readonly clock: Clock;
}

const MAX_DIAGNOSTICS = 100;
const SETTINGS = ['definition', 'roleArn', 'loggingConfiguration', 'tracingConfiguration', 'encryptionConfiguration'];

const SETTING_STRUCTURES = {
  loggingConfiguration: ['level', 'includeExecutionData', 'destinations'],
  'loggingConfiguration.destinations[]': ['cloudWatchLogsLogGroup'],
  'loggingConfiguration.destinations[].cloudWatchLogsLogGroup': ['logGroupArn'],
  tracingConfiguration: ['enabled'],
  encryptionConfiguration: ['type'],
};
const TAGS = { 'tags[]': ['key', 'value'] };

/** Finds a machine by its ARN. Throws `InvalidArn`, `StateMachineDoesNotExist`. */
export function findMachine(machines: MachineStore, arn: string | undefined): StateMachineRecord {
  if (arn === undefined) throw missing('stateMachineArn');
  if (!/^arn:aws[\w-]*:states:[\w-]+:\d{12}:stateMachine:[^:]+(:[^:]+)?$/.test(arn)) throw invalidArn(arn);
  if (arn.split(':').length > 7) throw unsupported('states', 'versions and aliases of state machines');
  const machine = machines.find(arn);
  if (!machine) throw machineDoesNotExist(arn);
  return machine;
}

/** Operations on state machines and their tags. */
export function machineOperations(
  place: Place,
  machines: MachineStore,
  executions: ExecutionStore,
): Record<string, Operation> {
  const resource = (input: { name?: string; stateMachineArn?: string; resourceArn?: string }) =>
    input.name ?? stateMachineName(input.stateMachineArn ?? input.resourceArn ?? '');

  return {
    CreateStateMachine: {
      members: ['name', 'type', 'tags', 'publish', ...SETTINGS],
      structures: { ...SETTING_STRUCTURES, ...TAGS },
      resource,
      run(
        input: Settings & { name?: string; type?: string; publish?: boolean; tags?: { key: string; value: string }[] },
      ) {
        const { name, type = 'STANDARD', definition, roleArn } = input;
        if (name === undefined) throw missing('name');
        if (definition === undefined) throw missing('definition');
        if (roleArn === undefined) throw missing('roleArn');
        checkName(name);
        if (type !== 'STANDARD') {
          throw new AwsError(
            'StateMachineTypeNotSupported',
            `The local cloud does not support state machines of type ${type}`,
          );
        }
        if (input.publish) throw unsupported('states', 'the parameter publish of CreateStateMachine');
        checkSettings(input);
        const arn = stateMachineArn(place, name);
        const existing = machines.find(arn);
        if (existing?.status === 'DELETING') {
          throw new AwsError('StateMachineDeleting', `State Machine is being deleted: '${arn}'`);
        }
        if (existing && existing.revision.definition !== definition) {
          throw new AwsError('StateMachineAlreadyExists', `State Machine Already Exists: '${arn}'`);
        }
        if (!existing) {
          machines.create({ arn, name, tags: tagMap(input.tags) }, { definition, roleArn }, place.clock.now());
        }
        return { stateMachineArn: arn, creationDate: (existing?.createdAt ?? place.clock.now()) / 1000 };
      },
    },
    UpdateStateMachine: {
      members: ['stateMachineArn', 'publish', ...SETTINGS],
      structures: SETTING_STRUCTURES,
      resource,
      run(input: Settings & { stateMachineArn?: string; publish?: boolean }) {
        const { revision, arn, status } = findMachine(machines, input.stateMachineArn);
        if (status === 'DELETING')
          throw new AwsError('StateMachineDeleting', `State Machine is being deleted: '${arn}'`);
        if (input.publish) throw unsupported('states', 'the parameter publish of UpdateStateMachine');
        if (!SETTINGS.some((setting) => setting in input)) {
          throw new AwsError(
            'MissingRequiredParameter',
            'Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be specified',
          );
        }
        checkSettings(input);
        const { definition = revision.definition, roleArn = revision.roleArn } = input;
        const at = place.clock.now();
        const { revisionId } = machines.update(arn, { definition, roleArn }, at);
        return { updateDate: at / 1000, revisionId };
      },
    },
    DescribeStateMachine: {
      members: ['stateMachineArn'],
      resource,
      run(input: { stateMachineArn?: string }) {
        const machine = findMachine(machines, input.stateMachineArn);
        return {
          ...described(machine, machine.revision),
          status: machine.status,
          type: 'STANDARD',
          creationDate: machine.createdAt / 1000,
        };
      },
    },
    DescribeStateMachineForExecution: {
      members: ['executionArn'],
      run(input: { executionArn?: string }) {
        if (input.executionArn === undefined) throw missing('executionArn');
        const execution = executions.find(input.executionArn);
        if (!execution) throw executionDoesNotExist(input.executionArn);
        const revision = machines.revision(execution.revision);
        const name = stateMachineName(execution.machineArn);
        return { ...described({ arn: execution.machineArn, name }, revision), updateDate: revision.createdAt / 1000 };
      },
    },
    ListStateMachines: {
      members: ['maxResults', 'nextToken'],
      run(input: { maxResults?: number; nextToken?: string }) {
        const size = pageSize(input.maxResults);
        const found = machines.list(String(readPageToken(input.nextToken) ?? ''), size + 1);
        const shown = found.slice(0, size);
        return {
          stateMachines: shown.map((machine) => ({
            stateMachineArn: machine.arn,
            name: machine.name,
            type: 'STANDARD',
            creationDate: machine.createdAt / 1000,
          })),
          ...(found.length > size && { nextToken: pageToken(shown.at(-1)!.name) }),
        };
      },
    },
    DeleteStateMachine: {
      members: ['stateMachineArn'],
      resource,
      run(input: { stateMachineArn?: string }) {
        if (input.stateMachineArn === undefined) throw missing('stateMachineArn');
        const machine = machines.find(input.stateMachineArn);
        // Deleting a missing machine succeeds; open executions finish first.
        if (!machine) return {};
        if (executions.hasOpen(machine.arn)) machines.markDeleting(machine.arn);
        else machines.remove(machine.arn);
        return {};
      },
    },
    ValidateStateMachineDefinition: {
      members: ['definition', 'type', 'severity', 'maxResults'],
      run(input: { definition?: string; type?: string; maxResults?: number }) {
        if (input.definition === undefined) throw missing('definition');
        if ((input.type ?? 'STANDARD') !== 'STANDARD')
          throw unsupported('states', `state machines of type ${input.type}`);
        const { diagnostics } = compileMachine(input.definition);
        const shown = diagnostics.slice(0, input.maxResults || MAX_DIAGNOSTICS);
        return {
          result: diagnostics.length === 0 ? 'OK' : 'FAIL',
          diagnostics: shown,
          truncated: shown.length < diagnostics.length,
        };
      },
    },
    TagResource: {
      members: ['resourceArn', 'tags'],
      structures: TAGS,
      resource,
      run(input: { resourceArn?: string; tags?: { key: string; value: string }[] }) {
        const machine = taggedMachine(machines, input.resourceArn);
        machines.setTags(machine.arn, mergeTags(machine.tags, input.tags));
        return {};
      },
    },
    UntagResource: {
      members: ['resourceArn', 'tagKeys'],
      resource,
      run(input: { resourceArn?: string; tagKeys?: string[] }) {
        const machine = taggedMachine(machines, input.resourceArn);
        const kept = Object.entries(machine.tags).filter(([key]) => !input.tagKeys?.includes(key));
        machines.setTags(machine.arn, Object.fromEntries(kept));
        return {};
      },
    },
    ListTagsForResource: {
      members: ['resourceArn'],
      resource,
      run(input: { resourceArn?: string }) {
        const { tags } = taggedMachine(machines, input.resourceArn);
        return { tags: Object.entries(tags).map(([key, value]) => ({ key, value })) };
      },
    },
  };
}

function taggedMachine(machines: MachineStore, arn: string | undefined): StateMachineRecord {
  if (arn === undefined) throw missing('resourceArn');
  const machine = machines.find(arn);
  if (!machine)
    throw new AwsError('ResourceNotFound', `Resource not found: '${arn}'`, { fields: { resourceName: arn } });
  return machine;
}

/** Throws `InvalidDefinition` with every issue of the definition; rejects settings without effect here. */
function checkSettings({ definition, roleArn, ...settings }: Settings): void {
  checkLength('roleArn', roleArn, 256);
  if (roleArn !== undefined && !/^arn:aws[\w-]*:iam::\d{12}:role\/.+/.test(roleArn)) throw invalidArn(roleArn);
  if ((settings.loggingConfiguration?.level ?? 'OFF') !== 'OFF') {
    throw unsupported('states', `the logging level ${settings.loggingConfiguration?.level}`);
  }
  if (settings.tracingConfiguration?.enabled) throw unsupported('states', 'tracing');
  if ((settings.encryptionConfiguration?.type ?? 'AWS_OWNED_KEY') !== 'AWS_OWNED_KEY') {
    throw unsupported('states', `the encryption type ${settings.encryptionConfiguration?.type}`);
  }
  if (definition === undefined) return;
  const { diagnostics } = compileMachine(definition);
  if (diagnostics.length === 0) return;
  const issues = diagnostics.map(({ code, message, location }) => `${code}: ${message} at ${location}`).join(', ');
  throw new AwsError('InvalidDefinition', `Invalid State Machine Definition: '${issues}'`);
}

function described(
  machine: { arn: string; name: string },
  revision: StateMachineRecord['revision'],
): Record<string, unknown> {
  return {
    stateMachineArn: machine.arn,
    name: machine.name,
    definition: revision.definition,
    roleArn: revision.roleArn,
    revisionId: revision.revisionId,
    loggingConfiguration: { level: 'OFF', includeExecutionData: false },
    tracingConfiguration: { enabled: false },
    encryptionConfiguration: { type: 'AWS_OWNED_KEY' },
  };
}
