import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';

/** Every minute wakes a function that starts what is due and mends what is stuck. It may fire twice. */
export class ScheduleTick extends Construct {
  constructor(scope: Construct, id: string, props: { target: IFunction; description: string }) {
    super(scope, id);
    new Schedule(this, 'EveryMinute', {
      schedule: ScheduleExpression.rate(Duration.minutes(1)),
      target: new LambdaInvoke(props.target, { retryAttempts: 2, maxEventAge: Duration.minutes(5) }),
      description: props.description,
    });
  }
}
