import { join } from 'node:path';
import { RemovalPolicy } from 'aws-cdk-lib';
import { FlowLogDestination, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  Capability,
  ContainerImage,
  CpuArchitecture,
  FargateTaskDefinition,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { lambdaArchitecture } from './bundled-function.ts';

export interface ContainerTaskProps {
  /** Name of the container and prefix of its log streams. */
  name: string;
  /** Folder under `dist/` with the program and its Dockerfile. */
  folder: string;
  family?: string;
  cpu: number;
  memoryMb: number;
  /** Size of `/tmp`; without it nothing can be written. */
  scratchGb?: number;
  logGroup: LogGroup;
  environment: Record<string, string>;
}

/** A program of ours as a task: it reads its image, writes to its scratch volume alone, and logs. */
export class ContainerTask extends FargateTaskDefinition {
  constructor(scope: Construct, id: string, props: ContainerTaskProps) {
    const isArm = lambdaArchitecture(scope) === 'arm64';
    super(scope, id, {
      ...(props.family ? { family: props.family } : {}),
      cpu: props.cpu,
      memoryLimitMiB: props.memoryMb,
      ...(props.scratchGb ? { ephemeralStorageGiB: props.scratchGb, volumes: [{ name: 'scratch' }] } : {}),
      runtimePlatform: {
        cpuArchitecture: isArm ? CpuArchitecture.ARM64 : CpuArchitecture.X86_64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    });
    // As the first process of a container the program would have no default action for a signal, and would not end by one.
    const linuxParameters = new LinuxParameters(this, 'Linux', { initProcessEnabled: true });
    linuxParameters.dropCapabilities(Capability.ALL);
    const container = this.addContainer(props.name, {
      image: ContainerImage.fromAsset(join(import.meta.dirname, '../../dist', props.folder), {
        platform: isArm ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64,
      }),
      logging: LogDrivers.awsLogs({ logGroup: props.logGroup, streamPrefix: props.name.toLowerCase() }),
      readonlyRootFilesystem: true,
      linuxParameters,
      environment: props.environment,
    });
    if (props.scratchGb) {
      container.addMountPoints({ sourceVolume: 'scratch', containerPath: '/tmp', readOnly: false });
    }
  }
}

/** Where containers run: reached by nobody, and reaching AWS and sources over the internet, without a NAT. It costs nothing itself. */
export function containerNetwork(scope: Construct, id: string, logGroup: LogGroup): Vpc {
  return new Vpc(scope, id, {
    maxAzs: 2,
    natGateways: 0,
    restrictDefaultSecurityGroup: false,
    subnetConfiguration: [{ name: 'Public', subnetType: SubnetType.PUBLIC }],
    flowLogs: { Rejected: { destination: FlowLogDestination.toCloudWatchLogs(logGroup) } },
  });
}

export function containerLogs(scope: Construct, id: string): LogGroup {
  return new LogGroup(scope, id, { retention: RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY });
}
