import { groupBy } from '../../../group-by.ts'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { formatResourceRef } from '../../../result.ts'
import { formatPlace } from '../../place.ts'
import { placeIn, textAt } from '../../reading/field.ts'
import { groupKind } from '../../reading/object-identity.ts'
import type { CrossplaneFinding } from './crossplane-rules.ts'

const REVISION_KINDS: ReadonlySet<string> = new Set(['ProviderRevision', 'ConfigurationRevision', 'FunctionRevision', 'PackageRevision'])
const PACKAGE_LABEL = 'pkg.crossplane.io/package'

/** Revisions of Crossplane packages, today's and those of seed 003. */
export function crossplaneRevisions(objects: readonly KrmObject[]): KrmObject[] {
  return objects.filter((object) => {
    const [group = '', kind = ''] = groupKind(object).split('/')
    return (group === 'pkg.crossplane.io' || group === 'packages.crossplane.io') && REVISION_KINDS.has(kind)
  })
}

/** Packages with more than one Active revision (seed 003: at most one). */
export function checkActiveRevisions(revisions: readonly KrmObject[]): CrossplaneFinding[] {
  const active = revisions.filter((object) => textAt(object, 'spec', 'desiredState') === 'Active')
  return [...groupBy(active, ownerOf)].flatMap(([owner, [first, second]]) => {
    if (owner === '' || first === undefined || second === undefined) return []
    const other = formatPlace(placeIn(first, ['spec', 'desiredState']))
    const message = `${formatResourceRef(first.ref)} (${other}) and ${formatResourceRef(second.ref)} are both Active; at most one revision of ${owner} must be`
    return [
      {
        rule: 'revision-many-active',
        message,
        place: placeIn(second, ['spec', 'desiredState'], 'Active'),
        tags: { ecosystem: 'crossplane', package: owner },
      },
    ]
  })
}

// The package by its label, else by the owner that controls the revision.
function ownerOf(revision: KrmObject): string {
  const label = revision.labels.get(PACKAGE_LABEL)
  if (label !== undefined) return label
  const owners = revision.get(['metadata', 'ownerReferences'])
  if (!Array.isArray(owners)) return ''
  const controller = owners.findIndex((_, i) => revision.get(['metadata', 'ownerReferences', i, 'controller']) === true)
  return controller < 0 ? '' : textAt(revision, 'metadata', 'ownerReferences', controller, 'name')
}
