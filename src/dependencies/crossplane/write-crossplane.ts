import type { JsonRecord } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Step } from '../plan/plan.ts'
import { fieldAt } from '../reading/field.ts'
import { RESOLVED_ANNOTATION } from '../reading/generated.ts'
import { type NewFieldValue, rootObject, type Writer, type WrittenObject } from '../reading/writer.ts'
import type { Install } from '../universe.ts'
import type { PackageKind, PackageKinds } from './package-kinds.ts'
import { generatedName, referenceTo } from './reference.ts'

// The CustomResourceDefinitions of today's packages take nothing else: a registry with a dot, and a path.
const FULL_SOURCE = /^[^./]+(\.[^./]+)+(\/[^/:@]+)+$/
const PULL_SETTINGS = ['packagePullSecrets', 'packagePullPolicy']

/** The object that Crossplane makes for a dependency (resolver, NewPackage). */
export function dependencyObject(source: string, version: string, { apiVersion, kind }: PackageKind) {
  return { apiVersion, kind, metadata: { name: generatedName(source) }, spec: { package: referenceTo(source, version) } }
}

/** Makes Providers, Configurations and Functions as Crossplane's resolver does; on request with the pull settings of the first parent. */
export class CrossplaneWriter implements Writer {
  readonly #objects: ReadonlyMap<Install, KrmObject>
  readonly #kinds: PackageKinds
  readonly #inheritsPullSettings: boolean
  readonly #inherited = new Map<Step, JsonRecord>()

  constructor(
    objects: ReadonlyMap<Install, KrmObject>,
    kinds: PackageKinds,
    options: { readonly inheritPullSettings?: boolean | undefined },
  ) {
    this.#objects = objects
    this.#kinds = kinds
    this.#inheritsPullSettings = options.inheritPullSettings === true
  }

  objectOf(install: Install): KrmObject | undefined {
    return this.#objects.get(install)
  }

  create(step: Step): WrittenObject {
    const { id, version, name } = step
    const kind = this.#kinds.of(id)
    if (kind === undefined) return { fault: 'nobody says whether it is a Provider, a Configuration or a Function' }
    if (!FULL_SOURCE.test(id)) return { fault: `its source must name a registry, such as xpkg.crossplane.io/${id}` }
    const settings = this.#inheritsPullSettings ? this.#pullSettings(step) : {}
    this.#inherited.set(step, settings)
    const { metadata, spec, ...rest } = dependencyObject(id, version, kind)
    const object: JsonRecord = {
      ...rest,
      metadata: { ...metadata, name, annotations: { [RESOLVED_ANNOTATION]: version } },
      spec: { ...spec, ...settings },
    }
    return { object, near: rootObject(step, (install) => this.objectOf(install)) }
  }

  update({ install, version, id }: Step): readonly NewFieldValue[] {
    if (install === undefined || version === install.text) return []
    const resolved = { path: ['metadata', 'annotations', RESOLVED_ANNOTATION], value: version }
    return [...(install.generated ? [resolved] : []), { path: ['spec', 'package'], value: referenceTo(id, version) }]
  }

  /** Those of the parent (seed 003, rule 10): package authors cannot say them. */
  #pullSettings({ parents: [parent] }: Step): JsonRecord {
    if (parent?.step !== undefined) return this.#inherited.get(parent.step) ?? {}
    const object = parent?.dependent?.install && this.objectOf(parent.dependent.install)
    if (object === undefined) return {}
    const settings = PULL_SETTINGS.flatMap((key) => {
      const { value } = fieldAt(object, ['spec', key])
      return value === undefined ? [] : [[key, value] as const]
    })
    return Object.fromEntries(settings)
  }
}
