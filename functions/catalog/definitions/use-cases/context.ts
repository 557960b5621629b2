import type {
  DefinitionRecord,
  DefinitionRepository,
  DeploymentLeases,
  ObjectKind,
} from '../../../../shared/domains/catalog/definitions/index.ts';
import type { SecretMarks } from '../../../../shared/platform/crypto/secret-marks.ts';
import type { Operations } from '../../common/operations.ts';
import type { Deletion } from './find-deletion.ts';

export interface Deps {
  definitions: DefinitionRepository;
  leases: DeploymentLeases;
  marks: SecretMarks;
  now(): Date;
}

/** A request for definitions: every object is read and changed by the operations of the API, as the caller. */
export interface Context extends Deps {
  operations: Operations;
  workspaceId: string;
  userId: string;
  /** Whether the role of the caller is one that sees drafts, and so what was deployed. */
  seesDeployed: boolean;
  /** Who has deleted the object of a record; undefined also for a caller who may not deploy. */
  deletionOf(record: DefinitionRecord): Promise<Deletion | undefined>;
}

/** The key of an object, as the path of a request has it. */
export interface Named {
  kind: ObjectKind;
  key: string;
}

/** An object as an operation returns it. */
export interface ApiObject extends Record<string, unknown> {
  id: string;
  name: string;
  revision: number;
}
