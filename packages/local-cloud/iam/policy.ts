import type { AccessRequest } from '../core/access/authorizer.ts';
import type { RequestContext } from './conditions.ts';
import { compilePolicy, type Statement } from './policy-document.ts';

/** A policy with a name by which messages and reports refer to it. */
export class Policy {
  readonly name: string;
  readonly statements: readonly Statement[];
  /** Statements by action; there are as many actions as operations. */
  readonly #byAction = new Map<string, Statement[]>();

  /** Throws an error that names an element that is unknown or malformed. */
  constructor(name: string, document: unknown) {
    this.name = name;
    this.statements = compilePolicy(document);
  }

  /** The statements that apply to the request, whatever their principals. */
  applying(request: AccessRequest, context: RequestContext): Statement[] {
    let statements = this.#byAction.get(request.action);
    if (!statements) {
      statements = this.statements.filter((statement) => statement.matchesAction(request.action));
      this.#byAction.set(request.action, statements);
    }
    return statements.filter((statement) => statement.applies(request, context));
  }
}
