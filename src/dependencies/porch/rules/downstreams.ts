import type { FieldPath } from '../../../field-path.ts'
import { groupBy } from '../../../group-by.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../../result.ts'
import { formatPlace } from '../../place.ts'
import { placeIn } from '../../reading/field.ts'
import type { PackageAddress, PorchRevision, PorchVariant } from '../objects.ts'
import type { PorchFinding } from './porch-rules.ts'

/** PackageVariants that write one package, and packages inside packages: Porch refuses neither before it is too late. */
export function checkDownstreams(variants: readonly PorchVariant[], revisions: readonly PorchRevision[]): PorchFinding[] {
  const repositories = groupBy(variants, ({ downstream }) => `${downstream.namespace} ${downstream.repository}`)
  const existing = groupBy(revisions, ({ namespace, repository }) => `${namespace} ${repository}`)
  return [...repositories].flatMap(([key, group]) => [...duplicates(group), ...nested(group, existing.get(key) ?? [])])
}

function duplicates(variants: readonly PorchVariant[]): PorchFinding[] {
  const first = new Map<string, PorchVariant>()
  return variants.flatMap((each) => {
    const earlier = first.get(each.downstream.package)
    if (earlier === undefined) first.set(each.downstream.package, each)
    if (earlier === undefined) return []
    const place = placeIn(each.object, ['spec', 'downstream'], each.object.get(['spec', 'downstream']))
    const other = placeIn(earlier.object, ['spec', 'downstream'])
    const message = `${formatResourceRef(each.object.ref)} writes ${describeAddress(each.downstream)}, as ${formatResourceRef(earlier.object.ref)} does (${formatPlace(other)})`
    return [{ rule: 'downstream-duplicate', message, place, tags: { ecosystem: 'kpt', package: each.downstream.package } }]
  })
}

function nested(variants: readonly PorchVariant[], revisions: readonly PorchRevision[]): PorchFinding[] {
  const paths = new Map<string, () => string>()
  for (const { package: path, object } of revisions) paths.set(path, () => describe(object, ['spec', 'packageName']))
  for (const { downstream, object } of variants) paths.set(downstream.package, () => describe(object, ['spec', 'downstream', 'package']))
  return variants.flatMap(({ object, downstream }) => {
    const outer = parentPaths(downstream.package).find((path) => paths.has(path))
    if (outer === undefined) return []
    const place = placeIn(object, ['spec', 'downstream', 'package'], downstream.package)
    const message = `${formatResourceRef(object.ref)} writes ${describeAddress(downstream)}, inside the package ${outer} of ${paths.get(outer)?.()}`
    return [{ rule: 'path-nested', message, place, tags: { ecosystem: 'kpt', package: downstream.package } }]
  })
}

function describe(object: KrmObject, path: FieldPath): string {
  return `${formatResourceRef(object.ref)} (${formatPlace(placeIn(object, path))})`
}

function parentPaths(path: string): string[] {
  const steps = path.split('/')
  return steps.slice(0, -1).map((_, i) => steps.slice(0, i + 1).join('/'))
}

/** Returns true if one path lies inside the other. Equal paths are one package and do not nest (Porch pkg/repository, paths overlap). */
export function pathsNest(a: string, b: string): boolean {
  return a !== b && (isInside(a, b) || isInside(b, a))
}

function isInside(path: string, folder: string): boolean {
  return parentPaths(path).includes(folder)
}

export function describeAddress({ repository, package: path }: PackageAddress): string {
  return `${repository}/${path}`
}
