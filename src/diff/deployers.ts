import { isRecord, type JsonRecord, type JsonValue, listedTexts, lookup, memberOf, recordsOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { groupKindOf } from './dangers/pod-spec.ts'
import { valueAt } from './field-changes.ts'
import type { ObjectRemoval } from './report.ts'

/** The objects of a fleet by which Flux, Argo CD or Config Sync applies a folder, and whether they delete what leaves the folder. */
interface Deployment {
  readonly by: ObjectRemoval['by']
  /** The folder from the top of the repository; '' is the top. */
  readonly folder: string
  readonly isPruning: boolean
}

/** The annotations by which an object says that its deployer must not delete it. */
const KEEPING: Readonly<Record<ObjectRemoval['by'], readonly (readonly [annotation: string, value: RegExp])[]>> = {
  Flux: [
    ['kustomize.toolkit.fluxcd.io/prune', /^disabled$/i],
    ['kustomize.toolkit.fluxcd.io/reconcile', /^disabled$/i],
  ],
  // `Delete=false` keeps an object only when its Application is deleted (gitops-engine, pruneObject).
  'Argo CD': [['argocd.argoproj.io/sync-options', /(?:^|,)\s*Prune=false\s*(?:,|$)/]],
  'Config Sync': [
    ['client.lifecycle.config.k8s.io/deletion', /^detach$/],
    ['configmanagement.gke.io/managed', /^disabled$/],
  ],
}

const SETTING: Readonly<Record<ObjectRemoval['by'], string>> = {
  Flux: 'its Kustomization does not have `prune: true`',
  'Argo CD': 'its Application does not have `automated.prune: true`',
  'Config Sync': '',
}

/** The deployers of a fleet: each removes an object that leaves its packages, or leaves the object in the cluster. */
export class Deployers {
  readonly #deployments: readonly Deployment[]

  constructor(items: readonly KrmObject[]) {
    this.#deployments = items.flatMap((item) => (SYNCING.has(item.kind ?? '') ? deploymentsOf(item.toJson()) : []))
  }

  /** Returns what happens to an object that leaves a package; undefined if no object of the fleet says who applies the package. */
  removalOf(folder: string, object: JsonRecord): ObjectRemoval | undefined {
    const found = this.#deployments.find((each) => holds(each.folder, folder))
    if (found === undefined) return undefined
    const { by, isPruning } = found
    const annotations = valueAt(object, ['metadata', 'annotations'])
    const keeping = KEEPING[by].find(([key, value]) => value.test(scalarText(memberOf(annotations, key))))
    if (keeping !== undefined) return { by, isPruned: false, text: `${by} leaves it in the cluster: it has the annotation ${keeping[0]}` }
    if (!isPruning) return { by, isPruned: false, text: `${by} leaves it in the cluster: ${SETTING[by]}` }
    return { by, isPruned: true, text: `${by} deletes it from the cluster` }
  }
}

const SYNCING: ReadonlySet<string> = new Set(['Kustomization', 'Application', 'ApplicationSet', 'RootSync', 'RepoSync'])

function deploymentsOf(value: JsonRecord): readonly Deployment[] {
  const at = (...path: readonly string[]) => valueAt(value, path)
  const kind = groupKindOf(value)
  if (kind === 'kustomize.toolkit.fluxcd.io Kustomization')
    return [{ by: 'Flux', folder: folderOf(at('spec', 'path')), isPruning: at('spec', 'prune') === true && at('spec', 'suspend') !== true }]
  if (kind === 'argoproj.io Application')
    return sourcesOf(at('spec')).map((source) => ({
      by: 'Argo CD',
      folder: folderOf(lookup(source, 'path')),
      isPruning: prunes(at('spec')),
    }))
  if (kind === 'argoproj.io ApplicationSet') {
    const elements = recordsOf(at('spec', 'generators')).flatMap((each) => recordsOf(valueAt(each, ['list', 'elements'])))
    const isPruning = prunes(at('spec', 'template', 'spec'))
    return elements.flatMap((element) => {
      const path = lookup(element, 'path')
      return path === undefined ? [] : [{ by: 'Argo CD' as const, folder: folderOf(path), isPruning }]
    })
  }
  if (kind === 'configsync.gke.io RootSync' || kind === 'configsync.gke.io RepoSync') {
    const source = ['git', 'oci'].map((type) => at('spec', type)).find(isRecord)
    return source === undefined ? [] : [{ by: 'Config Sync', folder: folderOf(lookup(source, 'dir')), isPruning: true }]
  }
  return []
}

function sourcesOf(spec: JsonValue | undefined): readonly JsonRecord[] {
  const source = memberOf(spec, 'source')
  return isRecord(source) ? [source] : recordsOf(memberOf(spec, 'sources'))
}

/** Returns true for an Application that deletes by itself what leaves git. */
function prunes(spec: JsonValue | undefined): boolean {
  const policy = memberOf(spec, 'syncPolicy')
  const automated = memberOf(policy, 'automated')
  if (listedTexts(memberOf(policy, 'syncOptions')).includes('Prune=false')) return false
  return memberOf(automated, 'prune') === true && memberOf(automated, 'enabled') !== false
}

function folderOf(path: JsonValue | undefined): string {
  return scalarText(path)
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '')
}

/** Returns true if a folder of the repository is that of a package, REPOSITORY/PACKAGE, or above it. */
function holds(deployed: string, folder: string): boolean {
  if (deployed === '') return false
  const above = folder.split('/').map((_, i, steps) => steps.slice(0, i + 1).join('/'))
  return above.some((each) => deployed === each || deployed.endsWith(`/${each}`))
}
