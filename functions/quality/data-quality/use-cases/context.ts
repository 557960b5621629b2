import type { CheckDeps, TargetDeps, TestRepository } from '../../../../shared/domains/quality/index.ts';

export interface TestDeps extends CheckDeps, TargetDeps {
  tests: TestRepository;
  now(): Date;
}

export interface Named {
  workspaceId: string;
  id: string;
}
