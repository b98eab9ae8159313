import { compareText } from '../../field-path.ts'
import { definedEntries } from '../../group-by.ts'
import type { JsonRecord } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { KindOfApi } from '../package-index.ts'
import type { Step } from '../plan/plan.ts'
import type { Collector } from '../reading/collector.ts'
import { movedFields, type Writer } from '../reading/ecosystem.ts'
import { RESOLVED_ANNOTATION } from '../reading/object-metadata.ts'
import { PACKAGE_API } from './dependencies.ts'
import { type CrossplaneOptions, type KnownPackage, type KnownPackages, metadataOfPackage, type PackageMetadata } from './known.ts'
import { generatedName, referenceTo } from './reference.ts'

// The CustomResourceDefinitions of today's packages take nothing else: a registry with a dot, and a path.
const FULL_SOURCE = /^[^./]+(\.[^./]+)+(\/[^/:@]+)+$/
const PULL_SETTINGS = ['packagePullSecrets', 'packagePullPolicy']

/** Returns the object that Crossplane makes for a dependency (resolver, NewPackage). */
export function dependencyObject(source: string, version: string, { apiVersion, kind }: KindOfApi) {
  return { apiVersion, kind, metadata: { name: generatedName(source) }, spec: { package: referenceTo(source, version) } }
}

/** Makes Providers, Configurations and Functions as Crossplane's resolver does; on request with the pull settings of the first parent. */
export function crossplaneWriter(kinds: PackageKinds, { inheritPullSettings }: Pick<CrossplaneOptions, 'inheritPullSettings'>): Writer {
  const inherited = new Map<Step, JsonRecord>()
  return {
    create(step, near) {
      const { id } = step.package
      const kind = kinds.of(id)
      if (kind === undefined) return { fault: 'no file says if it is a Provider, a Configuration or a Function' }
      if (!FULL_SOURCE.test(id)) return { fault: `its source must name a registry, such as xpkg.crossplane.io/${id}` }
      const settings = inheritPullSettings === true ? pullSettings(step, near, inherited) : {}
      inherited.set(step, settings)
      const { metadata, spec, ...rest } = dependencyObject(id, step.version, kind)
      const marked = { ...metadata, name: step.name, annotations: { [RESOLVED_ANNOTATION]: step.version } }
      return { object: { ...rest, metadata: marked, spec: { ...spec, ...settings } } }
    },
    update: movedFields,
  }
}

/** Returns the pull settings of the parent (seed 003, rule 10): the author of a package cannot know them. */
function pullSettings({ parents: [parent] }: Step, near: KrmObject | undefined, inherited: ReadonlyMap<Step, JsonRecord>): JsonRecord {
  if (parent?.step !== undefined) return inherited.get(parent.step) ?? {}
  return Object.fromEntries(definedEntries(PULL_SETTINGS.map((key) => [key, near?.get(['spec', key])])))
}

/** Finds the kind of object that installs a package, from requirements and from catalogs. */
export class PackageKinds {
  readonly #known: KnownPackages
  readonly #collector: Collector
  #required: ReadonlyMap<string, KindOfApi> | undefined

  constructor(known: KnownPackages, collector: Collector) {
    this.#known = known
    this.#collector = collector
  }

  /** Returns the kind for a source; undefined when no requirement and no catalog names one. Requirements are read at the first call. */
  of(source: string): KindOfApi | undefined {
    const listed = this.#known.kindOf(source)
    this.#required ??= requiredKinds(this.#known.all, (each) => metadataOfPackage(each, this.#collector))
    return this.#required.get(source) ?? (listed === '' ? undefined : { apiVersion: PACKAGE_API, kind: listed })
  }

  /** Accepts kinds that a caller has already collected from the requirements of every version. */
  know(required: ReadonlyMap<string, KindOfApi>): void {
    this.#required = required
  }
}

/**
 * Returns the kinds that requirements name, by source. If two requirements name different kinds for one source, the first in the order of
 * texts counts, whichever was read first.
 *
 * @param read  returns the metadata of a version, which is not held: there may be many
 */
export function requiredKinds(
  versions: readonly KnownPackage[],
  read: (version: KnownPackage) => PackageMetadata,
): ReadonlyMap<string, KindOfApi> {
  const kinds = new Map<string, KindOfApi>()
  const textOf = ({ apiVersion, kind }: KindOfApi) => `${kind} ${apiVersion}`
  for (const version of versions) {
    for (const each of read(version).dependsOn ?? []) {
      if (each.type !== 'package' || each.kind === '') continue
      const there = kinds.get(each.source)
      if (there === undefined || compareText(textOf(each), textOf(there)) < 0)
        kinds.set(each.source, { apiVersion: each.apiVersion, kind: each.kind })
    }
  }
  return kinds
}
