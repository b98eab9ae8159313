import { equalJson } from '../json.ts'
import { truncateName } from '../kubernetes/truncated-name.ts'
import type { VariantChange } from './change.ts'
import { downstreamKey } from './downstream.ts'
import type { FormerDownstreams } from './former-downstreams.ts'
import type { OwnedVariant } from './owned-variant.ts'
import { lacksMarks, type SetOwner } from './ownership.ts'
import { pairRenames } from './renames.ts'
import type { RenderedVariant } from './render-variant.ts'

/**
 * Compares the desired variants with the existing ones: a variant that is only desired is created, one that is both is updated, one that
 * only exists is removed (seed 001, Reconciliation Strategy). Variants are matched by downstream, not by name, so an existing variant
 * with another name keeps its name (docs/porch.md 26).
 *
 * @param wanted    the desired variants, one for each downstream
 * @param former    the downstreams of the set's places under other upstream packages
 * @param existing  the variants that the set owns, one for each downstream; a variant without a downstream is obsolete (docs/porch.md 31)
 */
export function reconcile(
  owner: SetOwner,
  wanted: readonly RenderedVariant[],
  existing: readonly OwnedVariant[],
  former: FormerDownstreams,
): readonly VariantChange[] {
  const byDownstream = new Map(existing.map((owned) => [owned.downstream, owned]))
  const kept = new Set<OwnedVariant>()
  const changes = wanted.map((variant) => {
    const match = byDownstream.get(downstreamKey(variant))
    if (match === undefined) return creation(owner, variant)
    kept.add(match)
    return update(owner, variant, match)
  })
  return pairRenames(changes, existing.filter((owned) => !kept.has(owned)).map(removal), former)
}

function creation({ name, namespace }: SetOwner, why: RenderedVariant): VariantChange {
  return { op: 'create', name: variantName(name, why.repo, why.package), namespace, after: why.spec, why }
}

/** Returns the name of a new variant: `SET-REPO-PACKAGE`, truncated to 63 bytes (seed 001, Identifier and Name Generation). */
function variantName(setName: string, repo: string, packageName: string): string {
  return truncateName(`${setName}-${repo}-${packageName}`)
}

function update(owner: SetOwner, why: RenderedVariant, { variant: existing, spec }: OwnedVariant): VariantChange {
  const addsMarks = lacksMarks(existing, owner)
  const op = equalJson(spec, why.spec) && !addsMarks ? 'unchanged' : 'update'
  return { op, name: existing.name, namespace: owner.namespace, existing, ...written(spec), after: why.spec, addsMarks, why }
}

function removal({ variant: existing, spec }: OwnedVariant): VariantChange {
  return { op: 'remove', name: existing.name, namespace: existing.namespace, existing, ...written(spec) }
}

function written(before: OwnedVariant['spec']): Pick<VariantChange, 'before'> {
  return before === undefined ? {} : { before }
}
