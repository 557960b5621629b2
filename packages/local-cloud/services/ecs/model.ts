export interface Variable {
  name: string;
  value: string;
}

/** The one container of a task definition, with the members that have an effect here. */
export interface ContainerDefinition {
  name: string;
  image: string;
  essential?: boolean;
  command?: string[];
  entryPoint?: string[];
  environment?: Variable[];
  mountPoints?: { sourceVolume: string; containerPath: string; readOnly?: boolean }[];
  logConfiguration?: { logDriver: string; options: Record<string, string> };
  readonlyRootFilesystem?: boolean;
  /** Seconds between SIGTERM and SIGKILL; 30 when absent. */
  stopTimeout?: number;
}

export interface TaskDefinition {
  taskDefinitionArn: string;
  family: string;
  revision: number;
  status: 'ACTIVE' | 'INACTIVE';
  containerDefinitions: ContainerDefinition[];
  /** CPU units and MB, as texts. */
  cpu: string;
  memory: string;
  networkMode: 'awsvpc';
  requiresCompatibilities: string[];
  /** Epoch seconds, like every instant of the service. */
  registeredAt: number;
  compatibilities: string[];
  /** The role of the program in the container. */
  taskRoleArn?: string;
  /** The role with which ECS pulls the image and writes the log. */
  executionRoleArn?: string;
}

export type TaskStatus = 'PROVISIONING' | 'RUNNING' | 'STOPPING' | 'STOPPED';
export type StopCode = 'TaskFailedToStart' | 'EssentialContainerExited' | 'UserInitiated' | 'TerminationNotice';

export interface Container {
  containerArn: string;
  taskArn: string;
  name: string;
  image: string;
  lastStatus: string;
  exitCode?: number;
  reason?: string;
}

/** A task as the service describes it. */
export interface Task {
  taskArn: string;
  clusterArn: string;
  taskDefinitionArn: string;
  lastStatus: TaskStatus;
  desiredStatus: 'RUNNING' | 'STOPPED';
  containers: Container[];
  overrides: Overrides;
  cpu: string;
  memory: string;
  launchType: 'FARGATE';
  group: string;
  startedBy?: string;
  createdAt: number;
  startedAt?: number;
  stoppingAt?: number;
  stoppedAt?: number;
  stopCode?: StopCode;
  stoppedReason?: string;
  version: number;
}

export interface Overrides {
  containerOverrides?: { name: string; environment?: Variable[]; command?: string[] }[];
}

export interface Cluster {
  clusterArn: string;
  clusterName: string;
  status: 'ACTIVE';
  settings: { name: string; value: string }[];
}
