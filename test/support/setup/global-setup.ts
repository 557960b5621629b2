import type { TestProject } from 'vitest/node';
import { SharedSetup } from './shared-setup.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests ask for what they share; see `shared-setup.ts`. */
    sharedSetup: string;
  }
}

/** Once for all projects. Nothing is made until a test asks for it, so a unit test alone starts at once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = await SharedSetup.open();
  project.provide('sharedSetup', shared.url);
  return () => shared.close();
}
