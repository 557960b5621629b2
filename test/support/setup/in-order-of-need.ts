import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { breaksDeployment } from './breaks-deployment.ts';

/** Projects in the order in which their files begin: first those that wait the most, last those that only compute. */
const ORDER = ['api', 'e2e', 'infra', 'contract', 'unit-environment', 'clients', 'unit', 'promises'];

/**
 * The order of the files of a run. Workers take files one after the other, and one that goes on with the same project
 * keeps what it has loaded; so projects follow each other. Files that take turns stand apart: they would wait in
 * several workers at once.
 */
export class InOrderOfNeed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return ORDER.flatMap((name) => apart(sorted.filter(({ project }) => project.name === name)));
  }
}

/** Spreads the files that take turns evenly among the others. */
function apart(files: TestSpecification[]): TestSpecification[] {
  const takeTurns = files.filter(({ moduleId }) => breaksDeployment(moduleId));
  const others = files.filter(({ moduleId }) => !breaksDeployment(moduleId));
  const distance = Math.ceil((others.length + 1) / (takeTurns.length + 1));
  return others
    .flatMap((file, index) => (index % distance === 0 ? [...takeTurns.splice(0, 1), file] : [file]))
    .concat(takeTurns);
}
