import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { MachineName } from '../../functions/resources.ts';
import { grantInvoke } from './grants.ts';

export interface PipelineMachineProps {
  name: MachineName;
  definition: object;
  /** Placeholders of the definition (`${Name}`) and the functions whose ARNs replace them. */
  functions: Record<string, IFunction>;
  /** Other placeholders and their values. */
  values?: Record<string, string>;
}

/** A state machine; its definition sits beside the worker that it drives. */
export class PipelineMachine extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, props: PipelineMachineProps) {
    super(scope, id);
    this.machine = new StateMachine(this, 'Machine', {
      stateMachineName: machineName(scope, props.name),
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(JSON.stringify(props.definition)),
      definitionSubstitutions: {
        ...Object.fromEntries(Object.entries(props.functions).map(([name, target]) => [name, target.functionArn])),
        ...props.values,
      },
      tracingEnabled: true,
      logs: {
        level: LogLevel.ERROR,
        destination: new LogGroup(this, 'Logs', {
          logGroupName: `/aws/vendedlogs/states/${machineName(scope, props.name)}`,
          retention: RetentionDays.ONE_MONTH,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      },
    });
    for (const target of Object.values(props.functions)) grantInvoke(this.machine, target);
  }
}

function machineName(scope: Construct, name: MachineName): string {
  return `${Stack.of(scope).stackName}-${name}`;
}

/**
 * The ARN, built from the name for functions that start a machine which in turn invokes them: a reference would be
 * circular.
 */
export function machineArn(scope: Construct, name: MachineName): string {
  return Stack.of(scope).formatArn({
    service: 'states',
    resource: 'stateMachine',
    resourceName: machineName(scope, name),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/** A placeholder in a definition for a value that only the deployment knows. */
export function placeholder(name: string): string {
  return `\${${name}}`;
}
