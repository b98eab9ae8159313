import { lookup } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { selectionOf } from '../../yaml/read/wanted.ts'
import type { CatalogPackage } from '../reading/catalog.ts'
import { childField, childText, type ObjectField } from '../reading/field.ts'
import { isOfKind, namespaceOf } from '../reading/object-identity.ts'
import type { SelectablePackage } from './select.ts'

/** A version of a Carvel package: a Package object, of which what counts here is read at once, or an entry of a catalog. */
export interface CarvelPackage extends SelectablePackage {
  /** Undefined: visible everywhere. */
  readonly namespace: string | undefined
  readonly installationType: string
  /** True when only the existence of this version is known. */
  readonly isBare: boolean
  /** Returns the field of the dependencies; undefined when they are not known. */
  dependencies(): ObjectField | undefined
  provides(): ObjectField
  /** Returns the field of the objects that a catalog lists as part of this version. */
  brings(): ObjectField | undefined
  /** Returns the fields with the ranges of Kubernetes and of kapp-controller that the Package runs on. */
  platform(): { readonly kubernetes: ObjectField; readonly kappController: ObjectField }
}

const PACKAGE_GROUPS: ReadonlySet<string> = new Set(['data.packaging.carvel.dev', 'internal.packaging.carvel.dev'])

export function isCarvelPackage(object: KrmObject): boolean {
  return isOfKind(object, 'Package', PACKAGE_GROUPS) || isOfKind(object, 'InternalPackage', PACKAGE_GROUPS)
}

export function isPackageMetadata(object: KrmObject): boolean {
  return isOfKind(object, 'PackageMetadata', PACKAGE_GROUPS) || isOfKind(object, 'InternalPackageMetadata', PACKAGE_GROUPS)
}

/** Every known version of every Carvel package: Package objects first, then catalogs; of the same version the first counts. */
export function knownPackages(written: readonly WrittenPackage[], catalog: readonly CatalogPackage[]): CarvelPackage[] {
  const packages = new Map<string, CarvelPackage>()
  const entries = catalog.filter(({ ecosystem }) => ecosystem === 'carvel')
  const listed = entries.flatMap((entry) => entry.versions.map(({ version, field }) => new ListedPackage(entry, version, field)))
  for (const each of [...written, ...listed]) {
    // A Package without refName or version is reported elsewhere.
    if (each.refName === '' || each.version === '') continue
    const key = `${each.namespace ?? '*'} ${each.refName} ${each.version}`
    if (packages.get(key)?.isBare !== false) packages.set(key, each)
  }
  return [...packages.values()]
}

// Leaves out the template and the schema of values: they are long, and an alias in them is no fault of the user.
const FIELDS = selectionOf(
  { path: ['metadata'], keys: ['name', 'namespace'] },
  {
    path: ['spec'],
    keys: [
      'refName',
      'version',
      'installationType',
      'provides',
      'dependencies',
      'kubernetesVersionSelection',
      'kappControllerVersionSelection',
    ],
  },
)

const read = new WeakMap<KrmObject, { readonly text: string; readonly written: WrittenPackage }>()

/** The Package of an object. A list is read again after each change of it, and hardly any change is one of a Package. */
export function writtenPackage(object: KrmObject): WrittenPackage {
  const text = object.toText()
  const known = read.get(object)
  if (known?.text === text) return known.written
  const written = new WrittenPackage(object)
  read.set(object, { text, written })
  return written
}

/** A Package object. */
export class WrittenPackage implements CarvelPackage {
  readonly isBare = false
  readonly object: KrmObject
  /** '' where it has none. */
  readonly name: string
  readonly namespace: string
  readonly refName: string
  readonly version: string
  readonly #spec: ObjectField

  constructor(object: KrmObject) {
    const [metadata = {}, spec] = object.pick(FIELDS)
    const [name, namespace] = [lookup(metadata, 'name'), lookup(metadata, 'namespace')]
    this.#spec = { object, key: 'spec', parent: undefined, value: spec }
    this.object = object
    // Of a name or namespace that is no text, `12` for one, the object says how it is written.
    this.name = name === undefined ? '' : typeof name === 'string' ? name : (object.name ?? '')
    this.namespace = namespace === undefined ? 'default' : namespaceOf(typeof namespace === 'string' ? { namespace } : object)
    this.refName = childText(this.#spec, 'refName')
    this.version = childText(this.#spec, 'version')
  }

  get installationType(): string {
    return childText(this.#spec, 'installationType')
  }

  get kubernetesVersionSelection(): string {
    return childText(childField(this.#spec, 'kubernetesVersionSelection'), 'constraints')
  }

  get kappControllerVersionSelection(): string {
    return childText(childField(this.#spec, 'kappControllerVersionSelection'), 'constraints')
  }

  dependencies(): ObjectField {
    return childField(this.#spec, 'dependencies')
  }

  provides(): ObjectField {
    return childField(this.#spec, 'provides')
  }

  brings(): undefined {
    return undefined
  }

  platform(): { readonly kubernetes: ObjectField; readonly kappController: ObjectField } {
    return {
      kubernetes: childField(childField(this.#spec, 'kubernetesVersionSelection'), 'constraints'),
      kappController: childField(childField(this.#spec, 'kappControllerVersionSelection'), 'constraints'),
    }
  }
}

class ListedPackage implements CarvelPackage {
  readonly namespace: string | undefined
  readonly refName: string
  readonly version: string
  readonly #field: ObjectField

  constructor({ id, namespace }: CatalogPackage, version: string, field: ObjectField) {
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
    return childText(childField(this.#field, 'constraints'), 'kubernetes')
  }

  get kappControllerVersionSelection(): string {
    return childText(childField(this.#field, 'constraints'), 'kappController')
  }

  dependencies(): ObjectField | undefined {
    const field = childField(this.#field, 'dependencies')
    return field.value === undefined ? undefined : field
  }

  provides(): ObjectField {
    return childField(this.#field, 'provides')
  }

  brings(): ObjectField {
    return childField(this.#field, 'brings')
  }

  platform(): { readonly kubernetes: ObjectField; readonly kappController: ObjectField } {
    const constraints = childField(this.#field, 'constraints')
    return { kubernetes: childField(constraints, 'kubernetes'), kappController: childField(constraints, 'kappController') }
  }
}
