/** Whether a test file makes the cloud fail: such files take turns on a deployment of their own. */
export const breaksDeployment = (file: string): boolean => file.endsWith('.faults.test.ts');
