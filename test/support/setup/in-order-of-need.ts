import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects in the order in which their files begin: first those that wait the most, last those that only compute. */
const ORDER = ['api', 'e2e', 'infra', 'contract', 'unit-environment', 'unit', 'promises'];

/**
 * The order of the files of a run. Workers take files one after the other, and one that goes on with the same project
 * keeps what it has loaded; so projects follow each other. Files that take turns stand apart: they would wait in several
 * workers at once.
 */
export class InOrderOfNeed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const ordered = ORDER.flatMap((name) => sorted.filter(({ project }) => project.name === name));
    const others = sorted.filter(({ project }) => !ORDER.includes(project.name));
    const apart = Math.ceil((ordered.length + 1) / (others.length + 1));
    return ordered
      .flatMap((file, index) => (index % apart === 0 ? [...others.splice(0, 1), file] : [file]))
      .concat(others);
  }
}
