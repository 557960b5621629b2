import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { Named, TestDeps } from './context.ts';
import { findTest } from './find-test.ts';

export function deleteTest(deps: Pick<TestDeps, 'tests'>, named: Named): Promise<void> {
  return onNewest('STALE_WRITE', async () => deps.tests.remove(await findTest(deps, named), 'STALE_WRITE'));
}
