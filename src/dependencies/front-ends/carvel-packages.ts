import type { JsonRecord, JsonValue } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { SelectablePackage } from '../select.ts'
import type { CatalogPackage } from './catalog.ts'
import { childOf, childText, type Field } from './field.ts'

/** A version of a Carvel package: a Package object, or an entry of a catalog. Fields are read when asked for: of most versions none ever is. */
export interface CarvelPackage extends SelectablePackage {
  /** Undefined: visible everywhere. */
  readonly namespace: string | undefined
  readonly installationType: string
  /** Whether nothing but its existence is known. */
  readonly isBare: boolean
  /** Where its dependencies stand; undefined: they are not known. */
  dependencies(): Field | undefined
  provides(): Field
  /** The objects a catalog says it brings. */
  brings(): Field | undefined
  /** Where it says which platform it runs on. */
  platform(): { readonly kubernetes: Field; readonly kappController: Field }
}

/** The group of an object's apiVersion and its kind, as `GROUP/KIND`. */
export function groupKind({ apiVersion = '', kind = '' }: KrmObject): string {
  return `${apiVersion.split('/')[0]}/${kind}`
}

const PACKAGE_KINDS: ReadonlySet<string> = new Set(['data.packaging.carvel.dev/Package', 'internal.packaging.carvel.dev/InternalPackage'])
const METADATA_KINDS: ReadonlySet<string> = new Set([
  'data.packaging.carvel.dev/PackageMetadata',
  'internal.packaging.carvel.dev/InternalPackageMetadata',
])

export function isCarvelPackage(object: KrmObject): boolean {
  return PACKAGE_KINDS.has(groupKind(object))
}

export function isPackageMetadata(object: KrmObject): boolean {
  return METADATA_KINDS.has(groupKind(object))
}

/** The namespace an object is in; one that names none is in `default`. */
export function namespaceOf({ namespace }: KrmObject): string {
  return namespace === undefined || namespace === '' ? 'default' : namespace
}

/** Every known version of every Carvel package: Package objects first, then catalogs; of the same version the first counts. */
export function readCarvelPackages(objects: readonly KrmObject[], catalog: readonly CatalogPackage[]): CarvelPackage[] {
  const packages = new Map<string, CarvelPackage>()
  const entries = catalog.filter(({ ecosystem }) => ecosystem === 'carvel')
  const listed = entries.flatMap((entry) => entry.versions.map(({ version, field }) => new ListedPackage(entry, version, field)))
  for (const each of [...objects.filter(isCarvelPackage).map((object) => new ObjectPackage(object)), ...listed]) {
    const key = [each.namespace ?? '*', each.refName, each.version].join(' ')
    if (packages.get(key)?.isBare !== false) packages.set(key, each)
  }
  return [...packages.values()]
}

const FIELDS = [
  'refName',
  'version',
  'installationType',
  'dependencies',
  'provides',
  'kubernetesVersionSelection',
  'kappControllerVersionSelection',
]

// Without the template and the schema of values, which are long, and where an alias would be nobody's fault.
function readFields(object: KrmObject): JsonRecord {
  const fields: Record<string, JsonValue> = {}
  for (const key of FIELDS) {
    const value = object.get(['spec', key])
    if (value !== undefined) fields[key] = value
  }
  return fields
}

class ObjectPackage implements CarvelPackage {
  readonly isBare = false
  readonly namespace: string
  readonly refName: string
  readonly version: string
  readonly #spec: Field

  constructor(object: KrmObject) {
    this.#spec = { object, key: 'spec', parent: undefined, value: readFields(object) }
    this.namespace = namespaceOf(object)
    this.refName = childText(this.#spec, 'refName')
    this.version = childText(this.#spec, 'version')
  }

  get installationType(): string {
    return childText(this.#spec, 'installationType')
  }

  get kubernetesVersionSelection(): string {
    return childText(childOf(this.#spec, 'kubernetesVersionSelection'), 'constraints')
  }

  get kappControllerVersionSelection(): string {
    return childText(childOf(this.#spec, 'kappControllerVersionSelection'), 'constraints')
  }

  dependencies(): Field {
    return childOf(this.#spec, 'dependencies')
  }

  provides(): Field {
    return childOf(this.#spec, 'provides')
  }

  brings(): undefined {
    return undefined
  }

  platform(): { readonly kubernetes: Field; readonly kappController: Field } {
    return {
      kubernetes: childOf(childOf(this.#spec, 'kubernetesVersionSelection'), 'constraints'),
      kappController: childOf(childOf(this.#spec, 'kappControllerVersionSelection'), 'constraints'),
    }
  }
}

class ListedPackage implements CarvelPackage {
  readonly namespace: string | undefined
  readonly refName: string
  readonly version: string
  readonly #field: Field

  constructor({ id, namespace }: CatalogPackage, version: string, field: Field) {
    this.namespace = namespace === '' ? undefined : namespace
    this.refName = id
    this.version = version
    this.#field = field
  }

  get isBare(): boolean {
    return typeof this.#field.value === 'string'
  }

  get installationType(): string {
    return childText(this.#field, 'installationType')
  }

  get kubernetesVersionSelection(): string {
    return childText(childOf(this.#field, 'constraints'), 'kubernetes')
  }

  get kappControllerVersionSelection(): string {
    return childText(childOf(this.#field, 'constraints'), 'kappController')
  }

  dependencies(): Field | undefined {
    const field = childOf(this.#field, 'dependencies')
    return field.value === undefined ? undefined : field
  }

  provides(): Field {
    return childOf(this.#field, 'provides')
  }

  brings(): Field {
    return childOf(this.#field, 'brings')
  }

  platform(): { readonly kubernetes: Field; readonly kappController: Field } {
    const constraints = childOf(this.#field, 'constraints')
    return { kubernetes: childOf(constraints, 'kubernetes'), kappController: childOf(constraints, 'kappController') }
  }
}
