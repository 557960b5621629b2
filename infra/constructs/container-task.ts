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
import type { ContainerResources } from '../../functions/resources.ts';
import { bundleFolder } from './bundle-folder.ts';
import { lambdaArchitecture } from './bundled-function.ts';

export interface ContainerTaskProps {
  /** The name of the container and the prefix of its log streams. */
  name: string;
  /** The folder under `dist/` with the program and its Dockerfile. */
  folder: string;
  family?: string;
  size: Pick<ContainerResources, 'cpu' | 'memoryMb' | 'scratchGb'>;
  logGroup: LogGroup;
  environment: Record<string, string>;
}

/** A task that runs one program with a read-only image, a scratch volume, and a log. */
export class ContainerTask extends FargateTaskDefinition {
  constructor(scope: Construct, id: string, props: ContainerTaskProps) {
    const { cpu, memoryMb, scratchGb } = props.size;
    const isArm = lambdaArchitecture(scope) === 'arm64';
    super(scope, id, {
      ...(props.family ? { family: props.family } : {}),
      cpu,
      memoryLimitMiB: memoryMb,
      ...(scratchGb ? { ephemeralStorageGiB: scratchGb, volumes: [{ name: 'scratch' }] } : {}),
      runtimePlatform: {
        cpuArchitecture: isArm ? CpuArchitecture.ARM64 : CpuArchitecture.X86_64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    });
    // Without an init process the program has process id 1, for which signals have no default action, so SIGTERM would
    // not end it.
    const linuxParameters = new LinuxParameters(this, 'Linux', { initProcessEnabled: true });
    linuxParameters.dropCapabilities(Capability.ALL);
    const container = this.addContainer(props.name, {
      image: imageOf(scope, props.folder),
      logging: LogDrivers.awsLogs({ logGroup: props.logGroup, streamPrefix: props.name.toLowerCase() }),
      readonlyRootFilesystem: true,
      linuxParameters,
      environment: { ...(scratchGb ? { SCRATCH_MB: String(scratchGb * 1024) } : {}), ...props.environment },
    });
    if (scratchGb) {
      container.addMountPoints({ sourceVolume: 'scratch', containerPath: '/tmp', readOnly: false });
    }
  }
}

function imageOf(scope: Construct, bundle: string): ContainerImage {
  const folder = bundleFolder(scope, bundle);
  const platform = lambdaArchitecture(scope) === 'arm64' ? Platform.LINUX_ARM64 : Platform.LINUX_AMD64;
  return folder ? ContainerImage.fromAsset(folder, { platform }) : ContainerImage.fromRegistry('not-built');
}

/**
 * The network of containers. It accepts no incoming connections, and reaches AWS and sources over the internet without
 * a NAT, free of charge.
 */
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
