import type { PackageStep } from '../../src/diff/fleet-state.ts'
import { repositoryOf } from '../../src/render/disk/disk-places.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { quoteNames, quoteText } from '../../src/schema/describe-value.ts'
import { didYouMean } from '../../src/schema/nearest-name.ts'
import { UsageError } from '../usage-error.ts'

/** Returns true for a name such as `Deployment/web`: the names of variants begin with a lower-case letter. */
export function namesObject(name: string): boolean {
  return /^[A-Z]\w*\/./.test(name)
}

/** A rendered object that the caller names, with its package. */
export interface NamedObject {
  readonly step: PackageStep
  readonly object: KrmObject
  /** The field that the name ends with; '' for the whole object. */
  readonly field: string
}

/** Returns the object of a name among the objects of all packages. @throws UsageError  when none or several have the name */
export function objectOfName(name: string, objects: readonly Omit<NamedObject, 'field'>[]): NamedObject {
  const [kind = '', rest = ''] = [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)]
  const named = objects.flatMap((each): readonly (NamedObject & { readonly full: string })[] => {
    if (each.object.kind !== kind) return []
    const { name: own = '', namespace = '' } = each.object
    const full = [`${namespace}/${own}`, own].find((text) => rest === text || rest.startsWith(`${text}.`))
    return full === undefined ? [] : [{ ...each, field: rest.slice(full.length + 1), full }]
  })
  const longest = Math.max(...named.map(({ full }) => full.length))
  const [found, ...others] = named.filter(({ full }) => full.length === longest)
  if (found === undefined) throw noObject(kind, rest, objects)
  if (others.length === 0) return found
  const packages = [found, ...others].map(({ step }) => step.folder)
  const clusters = [...new Set(packages.map((folder) => repositoryOf(folder)))]
  const isSame = new Set([found, ...others].map(({ object }) => object.namespace)).size === 1
  const oneOf = isSame ? `${quoteNames(packages)}; a cluster has one object of a name` : 'KIND/NAMESPACE/NAME names one of them'
  const way = clusters.length > 1 ? `choose one with --cluster: ${quoteNames(clusters)}` : oneOf
  throw new UsageError(`${packages.length} packages have ${kind} ${quoteText(found.full)}: ${way}`)
}

function noObject(kind: string, rest: string, objects: readonly Omit<NamedObject, 'field'>[]): UsageError {
  const ofKind = objects.filter(({ object }) => object.kind === kind)
  if (ofKind.length === 0) {
    const kinds = [...new Set(objects.flatMap(({ object }) => object.kind ?? []))]
    return new UsageError(
      `no cluster gets an object of kind ${quoteText(kind)}${didYouMean(kind, kinds) || `; the kinds are ${quoteNames(kinds)}`}`,
    )
  }
  const names = [...new Set(ofKind.map(({ object }) => object.name ?? ''))]
  const namespace = rest.slice(0, rest.lastIndexOf('/') + 1)
  const parts = rest.slice(namespace.length).split('.')
  const asked = parts.map((_, i) => parts.slice(0, parts.length - i).join('.'))
  const meant = asked.find((each) => didYouMean(each, names) !== '')
  if (meant !== undefined) return new UsageError(`no cluster gets ${kind} ${quoteText(`${namespace}${meant}`)}${didYouMean(meant, names)}`)
  return new UsageError(`no cluster gets ${kind} ${quoteText(rest)}; there is ${quoteNames(names)}`)
}
