import { type CatalogPackage, isCatalog, readCatalogEntries } from '../../dependencies/reading/catalog.ts'
import { childField, childText, fieldAt, itemFields, type ObjectField } from '../../dependencies/reading/field.ts'
import { type JsonRecord, scalarText } from '../../json.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Version } from '../../versions/version.ts'
import { countOf } from '../../wording.ts'
import type { NamedPackage } from './package-dangers.ts'

/** The things that go with a package: the definitions that it brings, and the objects of their kinds in the clusters of the fleet. */
export interface LostObjects {
  /** Undefined where no Catalog lists what the package brings. */
  readonly definitions: number | undefined
  readonly objects: number
}

/** The objects that a version brings, as a Catalog lists them. */
interface Brought {
  readonly definitions: number
  /** `GROUP KIND` of each kind that the cluster serves with the version. */
  readonly kinds: ReadonlySet<string>
  /** The groups of its definitions, for a version whose kinds are not listed. */
  readonly groups: ReadonlySet<string>
}

const DEFINITIONS = ['CustomResourceDefinition', 'CompositeResourceDefinition', 'ManagedResourceDefinition']

/** Finds what the packages of a fleet bring, by its Catalogs. */
export class LostWithPackages {
  readonly #items: readonly KrmObject[]
  #known: readonly CatalogPackage[] | undefined

  constructor(items: readonly KrmObject[]) {
    this.#items = items
  }

  /** The packages of the Catalogs, which are read when the first package goes. */
  get #packages(): readonly CatalogPackage[] {
    this.#known ??= readCatalogEntries(
      this.#items.filter(isCatalog).flatMap((each) => itemFields(fieldAt(each, ['spec', 'packages']))),
    ).packages
    return this.#known
  }

  /** Returns what goes with a package from a cluster with the given objects. */
  of(installed: NamedPackage, objects: readonly JsonRecord[]): LostObjects {
    const version = this.#versionOf(installed)
    if (version === undefined) return { definitions: undefined, objects: 0 }
    const { definitions, kinds, groups } = broughtBy(version)
    const isLost = ({ apiVersion, kind }: JsonRecord) => {
      const group = groupOf(scalarText(apiVersion))
      return kinds.size > 0 ? kinds.has(`${group} ${scalarText(kind)}`) : groups.has(group)
    }
    return { definitions, objects: objects.filter(isLost).length }
  }

  /** Returns the version that is installed: that of the same text, else the highest in the range. A version without fields says nothing. */
  #versionOf({ ecosystem, name, version, dialect }: NamedPackage): ObjectField | undefined {
    const versions = this.#packages.flatMap((each) => (each.ecosystem === ecosystem && each.id === name ? each.versions : []))
    const range = dialect.parseConstraint(version)
    const inRange = versions.flatMap((each): { readonly field: ObjectField; readonly parsed: Version }[] => {
      const parsed = dialect.parseVersion(each.version)
      return range.ok && parsed.ok && range.value.check(parsed.value) === true ? [{ field: each.field, parsed: parsed.value }] : []
    })
    const highest = inRange.toSorted((a, b) => dialect.compare(a.parsed, b.parsed)).at(-1)
    const field = versions.find((each) => each.version === version)?.field ?? highest?.field
    return field !== undefined && LISTING.some((key) => childField(field, key).value !== undefined) ? field : undefined
  }
}

const LISTING = ['brings', 'provides']

function broughtBy(version: ObjectField): Brought {
  const brings = itemFields(childField(version, 'brings')).filter((each) => DEFINITIONS.includes(childText(each, 'kind')))
  const provides = itemFields(childField(version, 'provides'))
  const kinds = new Set(provides.map((each) => `${groupOf(childText(each, 'apiVersion'))} ${childText(each, 'kind')}`))
  const groups = new Set(brings.map((each) => childText(each, 'name').replace(/^[^.]*\./, '')))
  return { definitions: brings.length > 0 ? brings.length : kinds.size, kinds, groups }
}

/** Returns what several clusters lose together: the definitions are the same in each. */
export function bothLost(a: LostObjects, b: LostObjects): LostObjects {
  return { definitions: a.definitions ?? b.definitions, objects: a.objects + b.objects }
}

/** Returns what is lost in words: `3 definitions, and 12 objects of their kinds in the fleet`. */
export function describeLost({ definitions, objects }: LostObjects): string {
  if (definitions === undefined) return 'no Catalog of the fleet lists what it brings'
  return `${countOf(definitions, 'definition')}, and ${countOf(objects, 'object')} of ${definitions === 1 ? 'its kind' : 'their kinds'} in the fleet`
}
