export interface Place {
  region: string;
  accountId: string;
}

/** ARNs of one account and Region. */
export class Arns {
  readonly #prefix: string;

  constructor({ region, accountId }: Place) {
    this.#prefix = `arn:aws:ecs:${region}:${accountId}`;
  }

  cluster(name: string): string {
    return `${this.#prefix}:cluster/${name}`;
  }

  taskDefinition(family: string, revision: number): string {
    return `${this.#prefix}:task-definition/${family}:${revision}`;
  }

  task(cluster: string, id: string): string {
    return `${this.#prefix}:task/${cluster}/${id}`;
  }

  container(cluster: string, task: string, id: string): string {
    return `${this.#prefix}:container/${cluster}/${task}/${id}`;
  }
}

/**
 * The part after the last slash: the name of a cluster, `family:revision`, the id of a task. Plain names pass
 * unchanged.
 */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
