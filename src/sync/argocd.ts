import { groupBy } from '../group-by.ts'
import { type JsonRecord, type JsonValue, memberOf } from '../json.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { faultToResult } from '../schema/fault.ts'
import { countOf, nameFirst } from '../wording.ts'
import { excludedFiles } from './excluded-files.ts'
import type { Deployment, SyncOptions } from './options.ts'
import type { SyncChanges } from './reconcile-sync-objects.ts'
import { rollingStep, WAVE_LABEL } from './rolling-steps.ts'

const API = 'argoproj.io/v1alpha1'

/**
 * Returns the files that Argo CD applies: those of subfolders too, which its default leaves out, but no files for tools on disk. With
 * `directory` Argo CD builds no kustomization or chart.
 */
function directoryOf(exclude: string): JsonRecord {
  return { recurse: true, exclude }
}

/**
 * Returns an Application for each deployment (Argo CD v3), with the wave for an application that deploys these Applications; or, per set,
 * an ApplicationSet with a list of the deployments of each set. A deployment of no set has an Application in both cases.
 */
export function argocdObjects(deployments: readonly Deployment[], options: SyncOptions): readonly JsonRecord[] {
  const isOrdered = deployments.some(({ wave }) => wave !== 0)
  const alone = options.per === 'set' ? deployments.filter(({ set }) => set === '') : deployments
  const together = deployments.filter((deployment) => !alone.includes(deployment))
  const ofSets = groupBy(together, ({ set }) => set)
  return [
    ...Array.from(ofSets, ([set, own]) => applicationSet(set, own, options)),
    ...alone.map((deployment) => application(deployment, isOrdered, options)),
  ]
}

function application(deployment: Deployment, isOrdered: boolean, options: SyncOptions): JsonRecord {
  const {
    name,
    url,
    branch,
    tag = branch,
    folder,
    isBuilt,
    project = 'default',
    destination = 'in-cluster',
    targetNamespace,
    wave,
  } = deployment
  return {
    apiVersion: API,
    kind: 'Application',
    metadata: { name, namespace: options.namespace, ...(isOrdered && { annotations: { 'argocd.argoproj.io/sync-wave': String(wave) } }) },
    spec: {
      project,
      source: {
        repoURL: url,
        targetRevision: tag,
        path: folder || '.',
        ...(!isBuilt && { directory: directoryOf(excludedFiles(deployment)) }),
      },
      destination: {
        ...(isServer(destination) ? { server: destination } : { name: destination }),
        ...(targetNamespace !== undefined && { namespace: targetNamespace }),
      },
      syncPolicy: syncPolicyOf(options),
    },
  }
}

/** Returns true for the URL of an API server, by which Argo CD finds a cluster as it does by a name. */
function isServer(destination: string): boolean {
  return /^https?:\/\//.test(destination)
}

function syncPolicyOf({ prune, syncOptions, syncPolicy }: SyncOptions): JsonRecord {
  return syncPolicy ?? { automated: { prune, selfHeal: true }, ...(syncOptions.length > 0 && { syncOptions }) }
}

function applicationSet(set: string, deployments: readonly Deployment[], options: SyncOptions): JsonRecord {
  const waves = [...new Set(deployments.map(({ wave }) => wave))].sort((a, b) => a - b)
  const isBuilt = deployments.every((deployment) => deployment.isBuilt)
  const hasServer = deployments.some(({ destination = '' }) => isServer(destination))
  const hasNamespace = deployments.some(({ targetNamespace }) => targetNamespace !== undefined)
  const [exclude = '', ...others] = new Set(deployments.map(excludedFiles))
  const elements = deployments.map((deployment) => {
    const { name, url, branch, tag = branch, folder, project = 'default', destination = 'in-cluster', targetNamespace, wave } = deployment
    return {
      ...{ name, url, branch: tag, path: folder || '.', project },
      ...{ destination: isServer(destination) ? '' : destination, wave: String(wave) },
      ...(hasServer && { server: isServer(destination) ? destination : '' }),
      ...(hasNamespace && { namespace: targetNamespace ?? '' }),
      ...(others.length > 0 && !isBuilt && { exclude: excludedFiles(deployment) }),
    }
  })
  const steps = waves.map((wave) => rollingStep(String(wave)))
  return {
    apiVersion: API,
    kind: 'ApplicationSet',
    metadata: { name: set, namespace: options.namespace },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [{ list: { elements } }],
      ...(waves.length > 1 && { strategy: { type: 'RollingSync', rollingSync: { steps } } }),
      // An Application whose element leaves the list is deleted; its resources stay.
      syncPolicy: { preserveResourcesOnDeletion: true },
      template: {
        metadata: { name: '{{.name}}', labels: { [WAVE_LABEL]: '{{.wave}}' } },
        spec: {
          project: '{{.project}}',
          source: {
            repoURL: '{{.url}}',
            targetRevision: '{{.branch}}',
            path: '{{.path}}',
            ...(!isBuilt && { directory: directoryOf(others.length === 0 ? exclude : '{{.exclude}}') }),
          },
          destination: {
            name: '{{.destination}}',
            ...(hasServer && { server: '{{.server}}' }),
            ...(hasNamespace && { namespace: '{{.namespace}}' }),
          },
          syncPolicy: syncPolicyOf(options),
        },
      },
    },
  }
}

/** The fields of an Application and of an ApplicationSet that say how Argo CD reads the files of a folder. */
const DIRECTORIES = [
  ['spec', 'source', 'directory'],
  ['spec', 'template', 'spec', 'source', 'directory'],
]

const GAINED =
  'Argo CD then applies the files of subfolders too, and builds no kustomization.yaml or Chart.yaml any more; remove `directory` where the package has one'
const LOST = 'Argo CD then builds the kustomization or chart that the package has, and applies no other file of the folder'

/**
 * Returns a warning about the present objects that get `directory`, and one about those that lose it, at the first of the objects: Argo CD
 * then applies other files, and with `prune` removes what it applied.
 */
export function directoryWarnings({ updated }: SyncChanges): readonly Result[] {
  const changed = updated.flatMap(({ object, value }) =>
    DIRECTORIES.flatMap((path) => {
      const [before, after] = [object.get(path), path.reduce<JsonValue | undefined>(memberOf, value)]
      return (before === undefined) === (after === undefined) ? [] : [{ object, path, isGained: before === undefined }]
    }),
  )
  return [...groupBy(changed, ({ isGained }) => isGained)].flatMap(([isGained, [first, ...others]]) => {
    if (first === undefined) return []
    const names = others.map(({ object }) => object.name ?? '')
    const where = names.length === 0 ? '' : ` and in ${countOf(names.length, 'other object')} (${nameFirst(names, 5, quoteText)})`
    const message = `is ${isGained ? 'new' : 'removed'} here${where}: ${isGained ? GAINED : LOST}`
    return [faultToResult(first.object, { severity: 'warning', rule: 'sync-directory', path: first.path, message })]
  })
}
