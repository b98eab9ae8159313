import { attempt } from '../attempt.ts'
import { asList, memberOf, scalarText } from '../json.ts'
import { isLocalConfig } from '../resource-list/applied-objects.ts'
import { groupOf } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, joinPath, KPTFILE, nearestFolder, shortestPath } from '../resource-list/package-of.ts'
import { WireError } from '../resource-list/wire-error.ts'
import { FunctionError } from '../result.ts'
import { mayHoldPlaceholder } from '../schema/placeholders.ts'

/** The files by which kustomize and the controllers build a folder instead of reading its files. */
export const KUSTOMIZATION_FILES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']

/** The files of a folder, with what decides which of them a cluster gets together. */
export interface Deployed {
  readonly paths: Iterable<string>
  /** The Kptfiles by the folders of their packages. */
  readonly kptfiles: ReadonlyMap<string, KrmObject | undefined>
  /** The folders of the packages that are deployed whole, with their subpackages. */
  readonly roots: ReadonlySet<string>
}

/**
 * The packages whose files a cluster gets together: a deployed package with its subpackages, which are packages of their own only for the
 * pipelines of kpt. A kustomization names some files of a package and of the packages below, so its package, and each below, is on its own.
 */
export class AppliedTogether {
  /** Returns the folder of the package of a file, without the packages around it; '' where no folder above is a package. */
  readonly ownPackage: (path: string) => string
  readonly #kptfiles: Deployed['kptfiles']
  readonly #roots: ReadonlySet<string>
  readonly #rootOf: (path: string) => string
  readonly #built: ReadonlySet<string>
  #configs: ReadonlySet<string> | undefined

  constructor({ paths, kptfiles, roots }: Deployed) {
    this.ownPackage = nearestFolder(new Set(kptfiles.keys()))
    this.#kptfiles = kptfiles
    this.#roots = roots
    this.#rootOf = nearestFolder(roots)
    const kustomizations = [...paths].filter((path) => KUSTOMIZATION_FILES.includes(path.slice(path.lastIndexOf('/') + 1)))
    this.#built = new Set(kustomizations.map((path) => this.ownPackage(path)))
  }

  /** Returns true for a file of a package with a kustomization: which files of the package go together is not known. */
  isBuilt(path: string): boolean {
    return this.#built.has(this.ownPackage(path))
  }

  /**
   * Returns the folder of the package with which a cluster gets a file: the deployed package around it, else the file's own package. The
   * config of a function is on its own.
   */
  packageOf(path: string): string {
    const own = this.ownPackage(path)
    const root = this.#rootOf(path)
    if (own === root || !this.#roots.has(root) || this.#isFunctionConfig(path)) return own
    for (let folder = own; folder !== root; folder = folderOf(folder)) if (this.#built.has(folder)) return own
    return this.#built.has(root) ? own : root
  }

  /**
   * Returns true for a file that a pipeline of a package names as the config of a function, such as `setters.yaml`, which each package of
   * a tree mostly has: `kpt live apply` leaves these files out (kpt pkg/live/rgpath.go).
   */
  #isFunctionConfig(path: string): boolean {
    this.#configs ??= new Set([...this.#kptfiles].flatMap(([folder, kptfile]) => (kptfile === undefined ? [] : configsOf(folder, kptfile))))
    return this.#configs.has(path)
  }
}

/** Returns the paths of the configs that the pipeline of a Kptfile names. */
function configsOf(folder: string, kptfile: KrmObject): readonly string[] {
  const pipeline = attempt(() => kptfile.get(['pipeline']), FunctionError, WireError)
  const functions = ['mutators', 'validators'].flatMap((field) => [...asList(memberOf(pipeline, field))])
  const paths = functions.map((fn) => scalarText(memberOf(fn, 'configPath')))
  return paths.filter((path) => path !== '').map((path) => shortestPath(joinPath(folder, path)))
}

/**
 * The API groups of objects that no cluster gets as they are: of kustomize, of functions and their configs, and of Porch, whose twins the
 * checks of fleets report.
 */
const OTHER_GROUPS: ReadonlySet<string> = new Set([
  'config.kubernetes.io',
  'config.porch.kpt.dev',
  'fn.kpt.dev',
  'fn.krm-variants.dev',
  'kustomize.config.k8s.io',
  'meta.pkg.crossplane.io',
])

/** Returns true for an object that a cluster gets under the name of its file. */
export function isAppliedAsNamed(object: KrmObject): boolean {
  const { apiVersion, kind, name, namespace = '' } = object
  if (apiVersion === undefined || kind === undefined || name === undefined || kind === KPTFILE) return false
  return !(OTHER_GROUPS.has(groupOf(apiVersion)) || isLocalConfig(object) || mayHoldPlaceholder(name) || mayHoldPlaceholder(namespace))
}
