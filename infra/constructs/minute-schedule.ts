import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { grantInvoke } from './grants.ts';

/** Invokes a function every minute, at least once. */
export class MinuteSchedule extends Construct {
  constructor(scope: Construct, id: string, props: { target: IFunction; description: string }) {
    super(scope, id);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    // The CDK's own target would also grant access to every version of the function.
    grantInvoke(role, props.target);
    const schedule = new CfnSchedule(this, 'EveryMinute', {
      description: props.description,
      scheduleExpression: 'rate(1 minute)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: props.target.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ sweep: true }),
        retryPolicy: { maximumRetryAttempts: 2, maximumEventAgeInSeconds: 300 },
      },
    });
    schedule.node.addDependency(role);
  }
}
