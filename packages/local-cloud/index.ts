/** The public API of the local cloud; `testing/index.ts` adds tools for tests. */
export { type DeployResult, LocalCloud, type LocalCloudOptions, type OutputValues } from './cloud.ts';
export { type Clock, ManualClock, systemClock } from './core/clock.ts';
export { type FaultRule, Faults } from './core/faults.ts';
export type { FunctionHost, HostedHandler, HostedLaunch } from './services/lambda/execution/hosted-environment.ts';
