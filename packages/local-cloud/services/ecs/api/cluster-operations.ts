import { AwsError, unsupported } from '../../../core/aws-error.ts';
import type { Operation } from '../../../core/operations.ts';
import { type Arns, nameOf } from '../arns.ts';
import type { Cluster } from '../model.ts';
import type { EcsStore } from '../storage/store.ts';
import { invalid, noCluster } from './errors.ts';

const DEFAULT_CLUSTER = 'default';

/** Finds a cluster by name or ARN; ECS's default cluster if neither is given. Throws `ClusterNotFoundException`. */
export function clusterOf(store: EcsStore, reference = DEFAULT_CLUSTER): Cluster {
  const cluster = store.cluster(nameOf(reference));
  if (!cluster) throw noCluster();
  return cluster;
}

/** Clusters are only names for groups of tasks; each has this whole machine as its capacity. */
export function clusterOperations(arns: Arns, store: EcsStore): Record<string, Operation> {
  const describe = (cluster: Cluster) => {
    const tasks = store.tasks(cluster.clusterName).filter(({ lastStatus }) => lastStatus !== 'STOPPED');
    const running = tasks.filter(({ lastStatus }) => lastStatus !== 'PROVISIONING').length;
    return {
      ...cluster,
      runningTasksCount: running,
      pendingTasksCount: tasks.length - running,
      activeServicesCount: 0,
      registeredContainerInstancesCount: 0,
    };
  };
  return {
    CreateCluster: {
      members: ['clusterName', 'settings', 'capacityProviders', 'tags'],
      run({ clusterName = DEFAULT_CLUSTER, settings = [], capacityProviders = [] }: CreateCluster) {
        if (!/^[\w-]{1,255}$/.test(clusterName)) throw invalid(`The cluster name ${clusterName} is not valid.`);
        const other = capacityProviders.find((provider) => provider !== 'FARGATE');
        if (other !== undefined) throw unsupported('ecs', `the capacity provider ${other}`);
        const clusterArn = arns.cluster(clusterName);
        const cluster: Cluster = { clusterArn, clusterName, status: 'ACTIVE', settings };
        store.saveCluster(cluster);
        return { cluster: describe(cluster) };
      },
    },
    DescribeClusters: {
      members: ['clusters', 'include'],
      run({ clusters = [DEFAULT_CLUSTER] }: { clusters?: string[] }) {
        const found = clusters.map((reference) => store.cluster(nameOf(reference)));
        return {
          clusters: found.filter((cluster) => cluster !== undefined).map(describe),
          failures: clusters
            .filter((_reference, index) => found[index] === undefined)
            .map((reference) => ({ arn: arns.cluster(nameOf(reference)), reason: 'MISSING' })),
        };
      },
    },
    ListClusters: {
      members: [],
      run: () => ({ clusterArns: store.clusters().map(({ clusterArn }) => clusterArn) }),
    },
    DeleteCluster: {
      members: ['cluster'],
      run({ cluster: reference }: { cluster: string }) {
        const cluster = clusterOf(store, reference);
        if (store.tasks(cluster.clusterName).some(({ lastStatus }) => lastStatus !== 'STOPPED')) {
          throw new AwsError('ClusterContainsTasksException', 'The Cluster cannot be deleted while Tasks are active.');
        }
        store.deleteCluster(cluster.clusterName);
        return { cluster: { ...describe(cluster), status: 'INACTIVE' } };
      },
    },
  };
}

interface CreateCluster {
  clusterName?: string;
  settings?: Cluster['settings'];
  capacityProviders?: string[];
}
