import { groupBy } from '../group-by.ts'
import type { Kinds } from '../kubernetes/kinds.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { joinPath } from '../resource-list/package-of.ts'
import type { Result, Severity } from '../result.ts'
import type { RuleId } from '../rules/rule-id.ts'
import { quoteText } from '../schema/describe-value.ts'
import { countOf } from '../wording.ts'
import type { DeployedPackage } from './deployed-packages.ts'
import type { Deployment, SyncOptions, SyncSystem } from './options.ts'

// Rules that the controllers have beyond the CustomResourceDefinitions of their objects: a valid object that a controller refuses, or with
// which it deletes what another object deployed.

/** A finding about a package, which the same packages of other clusters mostly have too. */
interface Finding {
  readonly rule: RuleId
  readonly severity: Severity
  /** Findings with one text are one finding. */
  readonly same: string
  readonly object: KrmObject
  readonly message: string
}

/** An object of a package as a deployment applies it. */
interface Applied {
  readonly object: KrmObject
  readonly deployment: Deployment
  readonly content: DeployedPackage
  /** The namespace in the cluster; '' for an object without one. */
  readonly namespace: string
}

/** Returns what the controller of a system refuses, or does to other objects, in the known packages of deployments. */
export function controllerRules(deployments: readonly Deployment[], kinds: Kinds, { system }: SyncOptions): readonly Result[] {
  const applied = deployments.map((deployment) => appliedBy(deployment, kinds, system))
  const findings = [
    ...(system === 'flux' ? applied.flatMap((own) => [...renamedNamespaces(own), ...twins(own)]) : []),
    ...(system === 'config-sync' ? applied.flatMap(outsideOfRepoSync) : []),
    ...(system === 'argocd' ? [] : deployments.flatMap((deployment) => strangeFiles(deployment, system))),
    ...sharedObjects(applied.flat(), system),
  ]
  return [...groupBy(findings, ({ rule, severity, same }) => `${rule} ${severity} ${same}`).values()].map(([first, ...others]) => {
    const { object, severity, rule, message } = first
    const more = others.length === 0 ? '' : `; so in ${countOf(others.length, 'other place')} of the fleet`
    return {
      severity,
      message: `${message}${more}`,
      ...(object.kind !== undefined && { resourceRef: object.ref }),
      ...(object.file && { file: object.file, position: object.positionOf(['metadata', 'name']) }),
      tags: { rule },
    }
  })
}

function appliedBy(deployment: Deployment, kinds: Kinds, system: SyncSystem): readonly Applied[] {
  const { targetNamespace, contents } = deployment
  const namespaceOf = (object: KrmObject): string => {
    const namespace = kinds.namespaceOf(object)
    if (namespace === '' || targetNamespace === undefined) return namespace
    // kustomize writes the namespace into every object; the others complete objects that name none.
    return system === 'flux' || !object.namespace ? targetNamespace : namespace
  }
  return contents.flatMap((content) =>
    // What a kustomization makes of the files is not known.
    content.isKustomized ? [] : content.applied.map((object) => ({ object, deployment, content, namespace: namespaceOf(object) })),
  )
}

/** Returns an error for each Namespace that `targetNamespace` gives another name (fluxcd/flux2#3949). */
function renamedNamespaces(applied: readonly Applied[]): readonly Finding[] {
  return applied.flatMap(({ object, deployment, content }): Finding[] => {
    const { targetNamespace: target = '', packageName = '' } = deployment
    if (target === '' || object.name === target || object.kind !== 'Namespace' || object.apiVersion !== 'v1') return []
    const message = `Namespace ${quoteText(object.name ?? '')} must not be in a package with \`targetNamespace\` ${quoteText(target)}: kustomize renames it to ${quoteText(target)}, and Flux deletes that Namespace with all its resources once the package goes; leave \`namespaceExpr\` out, or move the Namespace into a package of its own`
    return [{ rule: 'sync-namespace', severity: severityFor(content), same: `${packageName} ${object.name ?? ''}`, object, message }]
  })
}

/**
 * Returns an error for each object that a Kustomization would apply twice, which kustomize refuses. What source-controller packs for
 * kustomize has no symbolic links.
 */
function twins(applied: readonly Applied[]): readonly Finding[] {
  return [...groupBy(applied, identityOf).values()].flatMap((same): Finding[] => {
    const [first, second] = same.length === 1 ? same : same.filter(({ object, content }) => content.isLinked?.(object) !== true)
    if (first === undefined || second === undefined || isRenamed(first) || isRenamed(second)) return []
    const { object, deployment, content } = second
    const { targetNamespace, packageName = '' } = deployment
    const why =
      targetNamespace === undefined ? '' : `, after \`targetNamespace\` ${quoteText(targetNamespace)} moved both into one namespace`
    const message = `${nameOf(object)} must not be in one package with another one, at ${placeOf(first.object)}${why}: Flux applies nothing of the package`
    return [{ rule: 'sync-twins', severity: severityFor(content), same: `${packageName} ${identityOf(second)}`, object, message }]
  })
}

/** Returns true for a Namespace that is reported already. */
function isRenamed({ object, deployment }: Applied): boolean {
  return object.kind === 'Namespace' && deployment.targetNamespace !== undefined && object.name !== deployment.targetNamespace
}

/** Returns an error for each object that a RepoSync must not apply (Config Sync: KNV1053, KNV1058). */
function outsideOfRepoSync(applied: readonly Applied[]): readonly Finding[] {
  return applied.flatMap(({ object, deployment, content, namespace }): Finding[] => {
    const { targetNamespace: own, packageName = '' } = deployment
    if (own === undefined || namespace === own) return []
    const what = namespace === '' ? 'has no namespace' : `is in the namespace ${quoteText(namespace)}`
    const message = `${nameOf(object)} ${what}: a RepoSync in the namespace ${quoteText(own)} applies only objects of that namespace; leave \`namespaceExpr\` out for RootSyncs, or move the object into a package of its own`
    const same = `${packageName} ${object.kind ?? ''} ${namespace} ${object.name ?? ''}`
    return [{ rule: 'sync-repo-scope', severity: severityFor(content), same, object, message }]
  })
}

const SHARED: Readonly<Record<SyncSystem, string>> = {
  flux: 'two Kustomizations of Flux take the object from each other, and one that prunes deletes the object',
  argocd: 'Argo CD reports a SharedResourceWarning, and an Application that prunes deletes the object',
  'config-sync': 'Config Sync stops the second RootSync (KNV1060)',
}

/** Returns a finding for each object that two deployments apply to one cluster; an error for Config Sync, which stops. */
function sharedObjects(applied: readonly Applied[], system: SyncSystem): readonly Finding[] {
  return [...groupBy(applied, (each) => `${clusterOf(each.deployment)} ${identityOf(each)}`).values()].flatMap(
    ([first, ...others]): Finding[] => {
      const second = others.find(({ deployment }) => deployment !== first.deployment)
      if (second === undefined) return []
      const { object, content } = second
      const packages = [first, second].map(({ deployment }) => deployment.packageName ?? deployment.repository)
      const severity = system === 'config-sync' && content.isRendered && first.content.isRendered ? 'error' : 'warning'
      const message = `${nameOf(object)} is in two packages of one cluster, ${packages.map(quoteText).join(' and ')}, the other one at ${placeOf(first.object)}: ${SHARED[system]}; move the object into one package that both need`
      return [{ rule: 'sync-shared-object', severity, same: `${packages.join(' ')} ${identityOf(second)}`, object, message }]
    },
  )
}

/** Returns what names the cluster of a deployment. Without a destination each cluster applies the objects of its own Repository. */
function clusterOf({ destination, repository }: Deployment): string {
  return destination === undefined ? `of ${repository}` : `at ${destination}`
}

/** Returns a warning for each file with which Flux or Config Sync applies nothing of a package, and for files that Flux does not read. */
function strangeFiles({ contents, packageName = '' }: Deployment, system: SyncSystem): readonly Finding[] {
  const name = system === 'flux' ? 'Flux' : 'Config Sync'
  const way =
    system === 'flux'
      ? 'name the file in `.sourceignore` at the root of the git repository, or write a kustomization.yaml that lists the other files'
      : 'move the file out of the package'
  return contents.flatMap((content): Finding[] => {
    const object = content.applied[0] ?? content.local[0]
    if (content.isKustomized || object === undefined) return []
    const nameless = content.applied.filter((each) => each.name === undefined)
    const unread = content.applied.filter(({ file }) => system === 'flux' && file?.path.endsWith('.json') === true)
    const configs = content.local.filter((each) => system === 'flux' && !each.annotations.has('config.kubernetes.io/local-config'))
    return [
      ...[...content.strange].map(([path, document]): Finding => {
        const message = `${joinPath(content.folder, path)} holds no Kubernetes object: ${name} applies nothing of the package; ${way}`
        return { rule: 'sync-refused-file', severity: 'warning', same: `${packageName} ${path}`, object: document ?? object, message }
      }),
      ...nameless.map((each): Finding => {
        const message = `${each.kind ?? ''} must have \`metadata.name\`, in ${each.file?.path ?? ''}: ${name} applies nothing of the package`
        return { rule: 'sync-refused-file', severity: 'warning', same: `${packageName} ${message}`, object: each, message }
      }),
      ...unread.map((each): Finding => {
        const message = `${nameOf(each)} is in a JSON file, which Flux does not read: the object is never applied; write it as YAML, or write a kustomization.yaml that lists the files`
        return { rule: 'sync-refused-file', severity: 'warning', same: `${packageName} ${nameOf(each)}`, object: each, message }
      }),
      ...configs.map((config): Finding => {
        const message = `${nameOf(config)} is read by functions only: ${name} applies it, and no cluster knows the kind; give it the annotation config.kubernetes.io/local-config: "true"`
        return { rule: 'sync-refused-file', severity: 'warning', same: `${packageName} ${config.name ?? ''}`, object: config, message }
      }),
    ]
  })
}

/** The functions of a package may change what an upstream package has, so only a rendered package is refused. */
function severityFor({ isRendered }: DeployedPackage): Severity {
  return isRendered ? 'error' : 'warning'
}

function identityOf({ object: { apiVersion = '', kind = '', name = '' }, namespace }: Applied): string {
  return [groupOf(apiVersion), kind, namespace, name].join(' ')
}

function nameOf({ kind = '', name = '' }: KrmObject): string {
  return `${kind} ${quoteText(name)}`
}

function placeOf(object: KrmObject): string {
  return `${object.file?.path ?? ''}:${object.positionOf(['metadata', 'name']).line}`
}
