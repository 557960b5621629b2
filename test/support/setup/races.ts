import type { Reporter, TestModule } from 'vitest/node';

/** Lists the tests of a run that passed only when they were repeated: what they promise depends on timing. */
export default class Races implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const races = modules.flatMap(({ children, project, relativeModuleId }) =>
      Array.from(children.allTests('passed'), (test) => ({ test, file: `${project.name} ${relativeModuleId}` })).filter(
        ({ test }) => test.diagnostic()?.flaky,
      ),
    );
    if (races.length === 0) return;
    console.log(`\nTests that passed only when they were repeated (${races.length}). They race, and need mending:`);
    for (const { test, file } of races) {
      console.log(`  ${file} > ${test.fullName}`);
      for (const { message } of test.result().errors ?? []) console.log(`    ${message.split('\n')[0]}`);
    }
  }
}
