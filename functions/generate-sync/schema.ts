import {
  CEL_TEXT,
  closedMap,
  closedMapWith,
  FILLED_TEXT,
  FILLED_TEXTS,
  type Infer,
  OFF_BY_DEFAULT,
  ON_BY_DEFAULT,
  ownKind,
  ownObject,
  type Schema,
} from '../../src/schema/schema.ts'

/** A time as Go writes it. */
const DURATION = { type: 'string', pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$' } as const satisfies Schema

/** `GenerateSync`: the options of generate-sync as an object of its own. */
export const GENERATE_SYNC_SCHEMA = {
  $id: 'https://krm-variants.dev/schemas/generate-sync.json',
  title: 'GenerateSync',
  description: 'Options of the function generate-sync, which writes the objects that deploy the packages of a fleet from git.',
  examples: [{ ...ownObject('GenerateSync'), spec: { for: 'flux', destinationExpr: "repository.name + '-kubeconfig'" } }],
  ...closedMapWith(['apiVersion', 'kind', 'spec'], {
    ...ownKind('GenerateSync'),
    spec: {
      description: 'The options.',
      ...closedMapWith(['for'], {
        for: {
          description: 'What deploys the packages.',
          enum: ['flux', 'argocd', 'config-sync'],
        },
        per: {
          description:
            'What an object deploys: one package, or everything in the folder of a Repository; for Argo CD also set: one ApplicationSet for each set.',
          enum: ['package', 'repository', 'set'],
          default: 'package',
        },
        namespace: {
          description: 'The namespace of the objects. Default: flux-system, argocd or config-management-system.',
          ...FILLED_TEXT,
        },
        nameExpr: { description: 'Argo CD: a CEL expression, the name of an Application. Default: REPOSITORY-PACKAGE.', ...CEL_TEXT },
        projectExpr: { description: 'A CEL expression: the AppProject of an Application. Default: default.', ...CEL_TEXT },
        destinationExpr: {
          description:
            'A CEL expression: the cluster. Flux: the Secret with its kubeconfig, default: the own cluster. Argo CD: its name or the URL of its API server, default: in-cluster.',
          ...CEL_TEXT,
        },
        namespaceExpr: {
          description:
            'A CEL expression: the namespace of deployed resources. Flux: targetNamespace. Argo CD: that of resources without one. Config Sync: makes RepoSyncs in this namespace.',
          ...CEL_TEXT,
        },
        tagExpr: {
          description:
            'A CEL expression: the tag that is read instead of the branch, of a git repository or an OCI artifact. Default: the branch, and latest for an artifact.',
          ...CEL_TEXT,
        },
        waveExpr: {
          description:
            'A CEL expression that gives a whole number as text: lower waves are deployed first. Default: the place of the ring.',
          ...CEL_TEXT,
        },
        dependsOn: {
          description: 'The packages that a package needs in the same repository, by the name of the package.',
          type: 'object',
          additionalProperties: FILLED_TEXTS,
        },
        interval: {
          description: 'How often git is read: the interval of Flux, default 10m; the period of Config Sync, default 15s.',
          ...DURATION,
          examples: ['10m', '1h30m'],
        },
        retryInterval: {
          description: 'Flux: when a failed Kustomization is tried again. Default: the interval.',
          ...DURATION,
          examples: ['2m'],
        },
        timeout: {
          description: 'Flux: how long applying and waiting may take. Default: the interval.',
          ...DURATION,
          examples: ['5m'],
        },
        wait: {
          description: 'Flux: whether a Kustomization is ready only when its resources are, so that others wait for them.',
          ...ON_BY_DEFAULT,
        },
        createNamespace: {
          description: 'Argo CD: whether the namespace of namespaceExpr is created (CreateNamespace=true).',
          ...OFF_BY_DEFAULT,
        },
        serverSideApply: {
          description:
            'Argo CD: whether resources are applied on the server, as large CustomResourceDefinitions need (ServerSideApply=true).',
          ...OFF_BY_DEFAULT,
        },
        prune: {
          description: 'Whether a resource that leaves git is deleted in the cluster. Not for Config Sync, which always does.',
          ...ON_BY_DEFAULT,
        },
        syncPolicy: {
          description: 'Argo CD: the syncPolicy of an Application as it is, instead of prune, createNamespace and serverSideApply.',
          ...closedMap({
            automated: {
              description: 'Whether Argo CD syncs by itself when git or the cluster changes.',
              ...closedMap({
                enabled: { description: 'False to sync by hand, and keep the other fields.', type: 'boolean' },
                prune: { description: 'True to delete objects that git has no more.', type: 'boolean' },
                selfHeal: { description: 'True to undo changes that are made in the cluster.', type: 'boolean' },
                allowEmpty: { description: 'True to sync an Application that has no object any more.', type: 'boolean' },
              }),
            },
            syncOptions: {
              description: 'Options of a sync, as `NAME=VALUE`.',
              ...FILLED_TEXTS,
              examples: [['CreateNamespace=true']],
            },
            retry: {
              description: 'How a sync that failed is tried again.',
              ...closedMap({
                limit: { description: 'The most attempts; below 0 for no limit.', type: 'integer' },
                refresh: { description: 'True to take the newest revision for the next attempt.', type: 'boolean' },
                backoff: {
                  description: 'The time between attempts.',
                  ...closedMap({
                    duration: { description: 'The first wait.', type: 'string', examples: ['5s'] },
                    factor: { description: 'What each wait is multiplied by.', type: 'integer' },
                    maxDuration: { description: 'The longest wait.', type: 'string', examples: ['3m'] },
                  }),
                },
              }),
            },
            managedNamespaceMetadata: {
              description: 'Labels and annotations of the Namespace that Argo CD makes with CreateNamespace=true.',
              ...closedMap({
                labels: { description: 'The labels.', type: 'object', additionalProperties: { type: 'string' } },
                annotations: { description: 'The annotations.', type: 'object', additionalProperties: { type: 'string' } },
              }),
            },
          }),
        },
        remove: {
          description: 'Names of sync objects that are removed once nothing of the fleet needs them. Others are kept, and delete nothing.',
          ...FILLED_TEXTS,
        },
      }),
    },
  }),
} as const satisfies Schema

/** The options as they are written. */
export type GenerateSyncFields = Infer<typeof GENERATE_SYNC_SCHEMA>['spec']
