/** Everything that programs may use of the local cloud; `testing/index.ts` adds what tests need. */
export { type DeployResult, LocalCloud, type LocalCloudOptions, type OutputValues } from './cloud.ts';
export { type Clock, ManualClock, systemClock } from './core/clock.ts';
export { type FaultRule, Faults } from './core/faults.ts';
