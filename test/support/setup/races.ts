import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Lists the tests of a run that passed only when they were repeated: what they promise depends on timing. Writes the
 * files that failed to FAILED_FILES, as JSON; none if an error belongs to no test, which running files again hides.
 */
export default class Races implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failed = unhandled.length > 0 ? [] : modules.filter((module) => !module.ok()).map(({ moduleId }) => moduleId);
    if (process.env.FAILED_FILES) writeFileSync(process.env.FAILED_FILES, JSON.stringify(failed));
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
