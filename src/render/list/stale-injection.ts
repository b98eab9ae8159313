import type { FleetPlan } from '../../fleet/plan-fan-out.ts'
import { decodePackageVariant } from '../../kinds/package-variant.ts'
import { readOwnerAnnotation } from '../../lifecycle/owner-annotation.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { findingsOf, type Result } from '../../result.ts'
import { isPackageVariant, namespacedName } from '../../variant/find-variant.ts'
import { checkInjection, injectionChangeOf } from '../../variant/injection/inject.ts'
import { readSources } from '../../variant/injection/injection-source.ts'
import { packagesOf } from '../../variant/list-packages.ts'
import { PACKAGE_VARIANT_API } from '../../well-known.ts'
import type { RenderOptions } from '../options.ts'
import { fleetItems } from './fleet-items.ts'
import { ListFolders } from './list-folders.ts'

/** A folder that holds a fleet and the packages that were rendered for its variants. */
export interface RenderedFleet {
  readonly items: readonly KrmObject[]
  /** The folder with which the paths of the items begin; '' if the paths do not begin with it. */
  readonly folder: string
  /** The plan of the fleet's sets. */
  readonly plan: FleetPlan
  readonly options: Pick<RenderOptions, 'repositories'>
}

/**
 * Reports the injection points of rendered packages whose configuration differs from that of its source: the next render would change
 * them (seed 000 rule 26). The sources are the objects of the fleet, as for `render`.
 */
export function staleInjections({ items, folder, plan, options }: RenderedFleet): readonly Result[] {
  if (!items.some((item) => item.kind === 'Kptfile' && readOwnerAnnotation(item) !== undefined)) return []
  const own = fleetItems(items, new ListFolders(items, folder), options)
  const sources = readSources(own)
  const variants = new Map([...own.filter(isPackageVariant), ...variantsOfSets(plan)].map((variant) => [namespacedName(variant), variant]))
  return findingsOf(() =>
    packagesOf(ResourceList.of(items)).flatMap((pkg) => {
      const variant = variants.get(readOwnerAnnotation(pkg.kptfile)?.variant ?? '')
      if (variant === undefined) return []
      return findingsOf(() => checkInjection(pkg, injectionChangeOf(decodePackageVariant(variant).variant), sources))
    }),
  ).filter(({ tags }) => tags.rule === 'injection-stale')
}

/** Returns the variants that the sets want, most of which are in no file. */
function variantsOfSets({ sets }: FleetPlan): readonly KrmObject[] {
  return sets.flatMap(({ changes }) =>
    changes.flatMap(({ op, namespace, name, after }) => {
      if (op === 'remove' || after === undefined) return []
      const metadata = { name, ...(namespace !== '' && { namespace }) }
      return KrmObject.fromDocument(JSON.stringify({ apiVersion: PACKAGE_VARIANT_API, kind: 'PackageVariant', metadata, spec: after }))
    }),
  )
}
