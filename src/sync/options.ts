import type { JsonRecord } from '../json.ts'
import type { TemplateExpression } from '../kinds/template.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { DeployedPackage } from './deployed-packages.ts'

/** The systems for which objects are written. */
export const SYNC_SYSTEMS = ['flux', 'argocd', 'config-sync'] as const

/** The programs that deploy packages from git. */
export type SyncSystem = (typeof SYNC_SYSTEMS)[number]

/** The names of the expressions. */
export type SyncExpression = 'nameExpr' | 'projectExpr' | 'destinationExpr' | 'namespaceExpr' | 'tagExpr' | 'waveExpr'

/** The options of a GenerateSync. */
export interface SyncOptions {
  /** The object that has the options; its name is written into the objects that are made. */
  readonly config: KrmObject
  readonly name: string
  readonly system: SyncSystem
  readonly per: 'package' | 'repository' | 'set'
  /** The namespace of the objects. */
  readonly namespace: string
  readonly expressions: ReadonlyMap<SyncExpression, TemplateExpression>
  /** The packages that a package needs in the same repository, by name. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>
  readonly interval?: string
  /** Flux: when a failed Kustomization is tried again, and how long it may take; the controller's own values if they are not set. */
  readonly retryInterval?: string
  readonly timeout?: string
  /** Flux: whether a Kustomization is ready only when its resources are. */
  readonly wait: boolean
  /** Argo CD: `CreateNamespace=true` and the like. */
  readonly syncOptions: readonly string[]
  readonly prune: boolean
  /** Argo CD: the `syncPolicy` of an Application as it is written, instead of the one that `prune` and `syncOptions` give. */
  readonly syncPolicy?: JsonRecord
  /** The names of the objects that are removed once nothing needs them. */
  readonly remove: ReadonlySet<string>
}

/** The target of a deployment, and its place in git. */
export interface Deployment {
  readonly name: string
  /** The set of the variant; '' for a variant that no set owns. */
  readonly set: string
  readonly repository: string
  readonly repositoryObject: KrmObject
  /** The package; undefined for a deployment of a whole Repository. */
  readonly packageName: string | undefined
  /** True if the package is known to have a kustomization or a chart, which Argo CD builds. */
  readonly isBuilt: boolean
  /** The known packages of the deployment. */
  readonly contents: readonly DeployedPackage[]
  /** The git repository, or the OCI artifact with `oci://`. */
  readonly url: string
  readonly isOci: boolean
  readonly branch: string
  /** The tag that is read instead of the branch; an artifact always has one. */
  readonly tag: string | undefined
  /** The folder in the git repository, without slashes at its ends; '' for the whole repository. */
  readonly folder: string
  /** The Secret with the credentials of the git repository. */
  readonly secret: string | undefined
  readonly project: string | undefined
  readonly destination: string | undefined
  readonly targetNamespace: string | undefined
  /** The place in the order of all deployments: those of a lower wave come first. */
  readonly wave: number
  /** The names of the deployments that must be ready first. */
  readonly waitsFor: readonly string[]
}

/** A deployment whose order is not known yet. */
export interface DraftDeployment extends Omit<Deployment, 'wave' | 'waitsFor'> {
  readonly namespace: string
  /** The name before it is cut. */
  readonly fullName: string
  /** The wave of the option `waveExpr`, else the number of rings before that of the variant. */
  readonly rank: number
}
